/** The project as an editor has it, with one file that is not on disk. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript5'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The options of the project's compiler. */
export function projectOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
  return ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root).options
}

/** TypeScript's language service, and `open`, which shows it a text as the file `fixture`. */
export function openEditor(fixture: string) {
  let text = ''
  let version = 0
  const service = ts.createLanguageService(hostOf(fixture, () => ({ text, version: String(version) })))
  return {
    service,
    open(source: string): ts.SourceFile {
      text = source
      version += 1
      const file = service.getProgram()?.getSourceFile(fixture)
      if (!file) throw new Error('the fixture is not part of the program')
      return file
    },
  }
}

/** The project, with the fixture in it. */
function hostOf(fixture: string, current: () => { text: string; version: string }): ts.LanguageServiceHost {
  const options = projectOptions()
  return {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [fixture],
    getScriptVersion: (name) => (name === fixture ? current().version : '0'),
    getScriptSnapshot: (name) => {
      if (name === fixture) return ts.ScriptSnapshot.fromString(current().text)
      return ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(readFileSync(name, 'utf8')) : undefined
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === fixture || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  }
}
