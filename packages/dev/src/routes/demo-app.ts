import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { DevFile } from '../start/dev-file.ts'
import { waitingPage, waitingStyle } from './waiting-page.ts'

/**
 * The demo page's configuration, in `<script type="application/json" id="demo-config">`, without secrets. `chain` is absent while
 * the local chain is off; its `rpc_url` is the node's own.
 */
export type DemoConfig = {
  organizations: Record<'client' | 'tee', { id: string; publishable_key: string }>
  chain?: { handle: string; chain_id: number; rpc_url: string }
}

/** Where the build leaves the demo (scripts/build/demo.ts). */
export const demoFolder: string = fileURLToPath(new URL('../../dist/demo', import.meta.url))

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}
const assetName = /^[\w-]+(\.[\w-]+)+$/
const configTag = '<script type="application/json" id="demo-config">'

/**
 * Adds the demo at `/demo`: a page for newcomers, built by Vite. It answers 503 and tries again by itself until it is built
 * and the demo organizations exist. `devFile` is read anew for each page, so that it may appear later.
 */
export function demoAppRoutes(
  app: FastifyInstance,
  { devFile, folder = demoFolder }: { devFile: () => DevFile | undefined; folder?: string },
): void {
  app.get('/demo', async (_request, reply) => {
    const file = devFile()
    const page = await readFile(path.join(folder, 'index.html'), 'utf8').catch(() => undefined)
    if (file === undefined || page === undefined)
      return html(
        reply.code(503).header('retry-after', '1'),
        waitingPage('The demo'),
        `style-src ${waitingStyle}`,
      )
    const config = demoConfig(file)
    const chain = config.chain === undefined ? '' : ` ${config.chain.rpc_url}`
    return html(
      reply,
      page.replace(configTag, () => configTag + inScript(config)),
      `script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'${chain}; frame-src ${file.frame_url}`,
    )
  })
  app.get('/demo/', (_request, reply) => reply.redirect('/demo'))

  app.get<{ Params: { name: string } }>('/demo/assets/:name', async ({ params }, reply) => {
    const type = types[path.extname(params.name)]
    const content =
      type === undefined || !assetName.test(params.name)
        ? undefined
        : await readFile(path.join(folder, 'assets', params.name)).catch(() => undefined)
    if (type === undefined || content === undefined) return reply.code(404).send()
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .type(type)
      .send(content)
  })
}

function demoConfig({ organizations: { client, tee }, chain }: DevFile): DemoConfig {
  const shown = ({ id, publishable_key }: { id: string; publishable_key: string }) => ({
    id,
    publishable_key,
  })
  return {
    organizations: { client: shown(client), tee: shown(tee) },
    ...(chain && { chain: { handle: chain.handle, chain_id: chain.chain_id, rpc_url: chain.rpc_url } }),
  }
}

/** JSON that no text in it can end the script element of. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

function html(reply: FastifyReply, body: string, allowed: string): FastifyReply {
  return reply
    .header(
      'content-security-policy',
      `default-src 'none'; ${allowed}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    )
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(body)
}
