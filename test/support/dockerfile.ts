/**
 * Builds from a Dockerfile without Docker: each stage is a folder, and its instructions are run there. Users, base images and
 * layers are not imitated, only looked at.
 *
 * ```ts
 * const image = await buildDockerfile(folder)
 * spawn(image.command[0], image.command.slice(1), { cwd: image.workdir, env: image.env })
 * ```
 */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, posix } from 'node:path'
import { promisify } from 'node:util'

/** The last stage. */
export interface Image {
  readonly root: string
  readonly workdir: string
  readonly env: Readonly<Record<string, string>>
  readonly user: string
  readonly command: readonly string[]
  readonly health: readonly string[]
}

interface Stage {
  readonly root: string
  /** The path in the image. */
  workdir: string
  readonly env: Record<string, string>
  user: string
  command: readonly string[]
  health: readonly string[]
}

/** Runs the instructions of `Dockerfile` in the folder. @param env The environment of each `RUN`. */
export async function buildDockerfile(folder: string, env: NodeJS.ProcessEnv): Promise<Image> {
  const stages = new Map<string, Stage>()
  const ignored = new Set(readFileSync(join(folder, '.dockerignore'), 'utf8').trim().split('\n'))
  let stage = newStage()
  for (const line of readFileSync(join(folder, 'Dockerfile'), 'utf8').split('\n')) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    switch (word) {
      case '':
        if (line.trim() !== '') throw new Error(`not an instruction: ${line}`)
        break
      case 'FROM':
        stage = newStage()
        stages.set(/ AS (\w+)$/.exec(rest)?.[1] ?? '', stage)
        break
      case 'WORKDIR':
        stage.workdir = rest
        mkdirSync(join(stage.root, rest), { recursive: true })
        break
      case 'ENV':
        for (const pair of rest.split(' ')) stage.env[pair.split('=')[0] ?? ''] = pair.split('=')[1] ?? ''
        break
      case 'COPY':
        copy(rest, stage, { folder, ignored, stages })
        break
      case 'RUN':
        await promisify(execFile)('/bin/sh', ['-c', rest], {
          cwd: join(stage.root, stage.workdir),
          env: { ...env, ...stage.env },
          maxBuffer: 2 ** 26,
        }).catch((error) => {
          throw new Error(`RUN ${rest}\n${error.stdout}\n${error.stderr}`)
        })
        break
      case 'USER':
        stage.user = rest
        break
      case 'CMD':
        stage.command = JSON.parse(rest)
        break
      case 'HEALTHCHECK':
        stage.health = JSON.parse(rest.replace(/^CMD /, ''))
        break
      case 'EXPOSE':
        break
      default:
        throw new Error(`an instruction that the test does not know: ${word}`)
    }
  }
  return { ...stage, workdir: join(stage.root, stage.workdir) }
}

function newStage(): Stage {
  const root = mkdtempSync(join(tmpdir(), 'server-auth-image-'))
  return { root, workdir: '/', env: {}, user: 'root', command: [], health: [] }
}

interface Sources {
  readonly folder: string
  readonly ignored: ReadonlySet<string>
  readonly stages: ReadonlyMap<string, Stage>
}

/** Copies like `COPY`: a folder by its content, files into a folder. */
function copy(text: string, stage: Stage, { folder, ignored, stages }: Sources): void {
  const words = text.split(' ')
  const from = words[0]?.startsWith('--from=') ? stages.get(words.shift()?.slice(7) ?? '') : undefined
  const target = join(stage.root, posix.resolve(stage.workdir, words.pop() ?? '.'))
  for (const word of words) {
    const source = from ? join(from.root, posix.resolve(from.workdir, word)) : join(folder, word)
    if (!existsSync(source)) throw new Error(`COPY ${text}: ${word} does not exist`)
    const isFolder = statSync(source).isDirectory()
    const filter = (path: string) => from !== undefined || !isIgnored(basename(path), ignored)
    cpSync(source, isFolder ? target : join(target, basename(source)), {
      recursive: true,
      filter,
      verbatimSymlinks: true,
    })
  }
}

function isIgnored(name: string, ignored: ReadonlySet<string>): boolean {
  return ignored.has(name) || (ignored.has('.env*') && name.startsWith('.env'))
}
