import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { openapiSteps } from '@symbolon/api/openapi'
import type { FastifyInstance } from 'fastify'
import type { BuiltFile } from '../ports/built-assets.ts'
import { inSteps } from '../runtime/in-steps.ts'
import { referencePage, referencePolicy } from './reference-page.ts'
import { sendFile } from './send-file.ts'

const headers = {
  'content-security-policy': referencePolicy,
  'cache-control': 'no-cache',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/**
 * Serves the API reference at `/reference`: the OpenAPI document as one page without any script, because it shares its origin with the
 * portal. It is made at the first request, between others.
 */
export function mountReference(app: FastifyInstance): void {
  let made: Promise<BuiltFile> | undefined
  app.get('/reference', async (request, reply) => {
    made ??= makePage()
    return sendFile(request, reply.headers(headers), await made)
  })
}

async function makePage(): Promise<BuiltFile> {
  const document = await inSteps(openapiSteps())
  const body = Buffer.from(await inSteps(referencePage(document)))
  return {
    name: 'reference.html',
    type: 'text/html; charset=utf-8',
    body,
    gzipped: await promisify(gzip)(body),
    integrity: `sha384-${createHash('sha384').update(body).digest('base64')}`,
  }
}
