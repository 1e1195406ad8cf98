import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DevChain, DevChainHandle } from '@symbolon/dev/testing/chain'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** `GET <url>/<handle>` starts that chain of the run on first use and answers its addresses. */
    chainsUrl: string
    /** Where bundlers keep compiled code from one run to the next. */
    chainCacheFolder: string
  }
}

/** Offers the chains that a run shares: each is started when the first test asks for it, and stopped at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cacheFolder = fileURLToPath(new URL('../../../../node_modules/.cache/test-chain', import.meta.url))
  mkdirSync(cacheFolder, { recursive: true })
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-chains-'))
  const chains = new Map<DevChainHandle, Promise<DevChain>>()

  const server = createServer(async (request, response) => {
    const handle = request.url?.slice(1) as DevChainHandle
    const starting = chains.get(handle) ?? start(handle)
    chains.set(handle, starting)
    try {
      const { faults: _, ...addresses } = await starting
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(addresses))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  project.provide('chainsUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  project.provide('chainCacheFolder', cacheFolder)
  return async () => {
    server.closeAllConnections()
    server.close()
    const started = await Promise.allSettled(chains.values())
    await Promise.all(started.map((chain) => chain.status === 'fulfilled' && chain.value.stop()))
    rmSync(folder, { recursive: true, force: true })
  }

  /** Loaded on first use: a run that needs no chain pays nothing. */
  async function start(handle: DevChainHandle): Promise<DevChain> {
    const { startDevChain } = await import('@symbolon/dev/testing/chain')
    const log = (line: string) => process.stderr.write(`${handle}: ${line}\n`)
    return startDevChain({ handle, folder: path.join(folder, handle), cacheFolder, log })
  }
}
