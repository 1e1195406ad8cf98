import { createReadStream, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'

const path = '/reference'
const scriptPath = '/reference/scalar.js'

/** Scalar's options: nothing that reaches out of this installation. */
const configuration = {
  url: '/v1/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: false,
}

/** Only our own scripts and answers: the page works offline and contacts nobody else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const attribute = (value: string) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Symbolon API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page needs JavaScript; the document it shows is <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
<script id="api-reference" data-url="/v1/openapi.json" data-configuration="${attribute(JSON.stringify(configuration))}"></script>
<script src="${scriptPath}"></script>
</body>
</html>
`

const headers = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

/**
 * Serves the API reference at `/reference`: Scalar's viewer over `/v1/openapi.json`. The viewer (3 MB) is found at the
 * first request and streamed from its package, never loaded into this process.
 */
export function mountReference(app: FastifyInstance): void {
  let script: { file: string; size: number } | undefined

  app.get(path, (_request, reply) =>
    reply.headers(headers).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page),
  )

  app.get(scriptPath, (request, reply) => {
    script ??= findScript()
    reply
      .headers(headers)
      .header('cache-control', 'public, max-age=86400')
      .header('content-length', String(script.size))
      .type('text/javascript; charset=utf-8')
    return reply.send(request.method === 'HEAD' ? undefined : createReadStream(script.file))
  })
}

function findScript() {
  const entry = import.meta.resolve('@scalar/fastify-api-reference')
  const file = fileURLToPath(new URL('./js/standalone.js', entry))
  return { file, size: statSync(file).size }
}
