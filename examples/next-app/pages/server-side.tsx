/** A page of the Pages Router: `auth` takes the context of `getServerSideProps`. */
import type { GetServerSideProps, InferGetServerSidePropsType } from 'next'
import { auth } from '../auth'

export const getServerSideProps = (async (context) => {
  const session = await auth(context)
  return { props: { name: session?.user?.name ?? null } }
}) satisfies GetServerSideProps<{ name: string | null }>

export default function ServerSidePage({ name }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  return (
    <main>
      <h1>Server-side props</h1>
      <p>
        Signed in as <strong id="name">{name ?? 'nobody'}</strong>.
      </p>
    </main>
  )
}
