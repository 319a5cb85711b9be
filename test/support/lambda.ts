/**
 * The gateways in front of AWS Lambda, on a loopback port: each request becomes the event of its kind, and the answer of the
 * handler becomes an HTTP response.
 *
 * ```ts
 * const gateway = await startGateway('API Gateway, payload 2.0', serverless(app))
 * const browser = new Browser(gateway.origin)
 * ```
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 * @see https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { startLoopbackServer } from './loopback-server.js'

/** The kinds of gateways. */
export const gatewayKinds = ['API Gateway, payload 1.0', 'API Gateway, payload 2.0', 'load balancer'] as const
export type GatewayKind = (typeof gatewayKinds)[number]

/** The answer of a Lambda function. */
interface Result {
  readonly statusCode?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>
  readonly cookies?: readonly string[]
  readonly body?: string
  readonly isBase64Encoded?: boolean
}

/** A request, as a gateway reads it. */
interface Received {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly base64: boolean
}

export interface Gateway {
  readonly origin: string
  close(): Promise<void>
}

/**
 * Starts a gateway.
 * @param handler The function that an adapter returned. Adapters declare its result differently.
 * @param base64 Sends bodies in Base64, as API Gateway does for every form. Default `true`.
 */
export async function startGateway(
  kind: GatewayKind,
  handler: (event: object, context: object) => unknown,
  { base64 = true }: { readonly base64?: boolean } = {},
): Promise<Gateway> {
  return startLoopbackServer(async (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const received = {
      method: request.method ?? 'GET',
      url,
      // The browser came to the gateway by https, from this address.
      headers: { ...request.headers, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' },
      body: await buffer(request),
      base64,
    }
    try {
      send(response, (await handler(events[kind](received), {})) as Result)
    } catch (error) {
      response.writeHead(502).end(String(error))
    }
  })
}

function send(response: ServerResponse, result: Result): void {
  response.statusCode = result.statusCode ?? 200
  for (const [name, value] of Object.entries(result.headers ?? {})) response.setHeader(name, value)
  for (const [name, values] of Object.entries(result.multiValueHeaders ?? {})) response.setHeader(name, values)
  if (result.cookies?.length) response.setHeader('set-cookie', result.cookies)
  response.end(Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8'))
}

const events: Readonly<Record<GatewayKind, (received: Received) => object>> = {
  'API Gateway, payload 1.0': (received) => ({
    version: '1.0',
    resource: '/{proxy+}',
    path: received.url.pathname,
    httpMethod: received.method,
    ...bothHeaders(received),
    ...bothQueries(received),
    ...bodyOf(received),
    requestContext: {
      httpMethod: received.method,
      path: received.url.pathname,
      identity: { sourceIp: '127.0.0.1', userAgent: received.headers['user-agent'] ?? null },
    },
  }),
  // Cookies are a list, and no header.
  'API Gateway, payload 2.0': (received) => {
    const { cookie, ...headers } = singleHeaders(received)
    const { pathname, search } = received.url
    return {
      version: '2.0',
      routeKey: '$default',
      rawPath: pathname,
      rawQueryString: search.slice(1),
      ...(cookie !== undefined && { cookies: cookie.split('; ') }),
      headers,
      requestContext: { http: { method: received.method, path: pathname, sourceIp: '127.0.0.1' } },
      ...bodyOf(received),
    }
  },
  // A target group with multi-value headers. Its query stays encoded.
  'load balancer': (received) => ({
    requestContext: { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:::targetgroup/test/1' } },
    httpMethod: received.method,
    path: received.url.pathname,
    multiValueHeaders: bothHeaders(received).multiValueHeaders,
    multiValueQueryStringParameters: encodedQuery(received),
    ...bodyOf(received),
  }),
}

function bodyOf({ body, base64 }: Received) {
  if (body.length === 0) return { body: null, isBase64Encoded: false }
  return { body: body.toString(base64 ? 'base64' : 'utf8'), isBase64Encoded: base64 }
}

function singleHeaders({ headers }: Received): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(',')]))
}

function bothHeaders(received: Received) {
  const headers = singleHeaders(received)
  return {
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
  }
}

function bothQueries({ url: { searchParams } }: Received) {
  const names = [...new Set(searchParams.keys())]
  if (names.length === 0) return { queryStringParameters: null, multiValueQueryStringParameters: null }
  return {
    queryStringParameters: Object.fromEntries(searchParams),
    multiValueQueryStringParameters: Object.fromEntries(names.map((name) => [name, searchParams.getAll(name)])),
  }
}

function encodedQuery({ url }: Received) {
  const query: Record<string, string[]> = {}
  for (const pair of url.search.slice(1).split('&').filter(Boolean)) {
    const [name = '', value = ''] = pair.split('=')
    query[name] = [...(query[name] ?? []), value]
  }
  return query
}
