import type { AppProps } from 'next/app'
import Head from 'next/head'
import Link from 'next/link'
import '../app/globals.css'

export default function PagesApp({ Component, pageProps }: AppProps) {
  return (
    <>
      <Head>
        <title>server-auth in Next.js</title>
        <link href="/icon.svg" rel="icon" />
      </Head>
      <header>
        <Link className="brand" href="/">
          server-auth <span>in Next.js</span>
        </Link>
      </header>
      <Component {...pageProps} />
    </>
  )
}
