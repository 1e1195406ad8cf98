import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { simulatedEnclaveEntry } from '@symbolon/dev/testing/attestation'
import {
  chainEnvironment,
  localChains,
  localUrls,
  logFile,
  startChains,
  startDevServer,
} from '@symbolon/dev/testing/platform'
import { freePort, startPostgres } from '@symbolon/dev/testing/postgres'
import { superviseEnclave } from '@symbolon/enclave'
import { makeTestRing } from '@symbolon/testing/enclave'

/** An API in this process, and in processes of their own all that it talks to: enclave, durable database, local chains. */
export type ChainPlatform = {
  baseUrl: string
  files: { secrets: string }
  stop(): Promise<void>
}

/** Starts it, wired as by `npm start`, and resolves once its chains are up. `environment` goes to the API. */
export async function startChainPlatform(environment: Record<string, string>): Promise<ChainPlatform> {
  const folder = mkdtempSync(path.join(tmpdir(), 'symbolon-bench-'))
  const at = (name: string) => path.join(folder, name)
  const database = await startPostgres({ folder: at('database') })
  const { apiKey } = makeTestRing(at('tee-a.json'))
  const enclave = superviseEnclave({
    entry: simulatedEnclaveEntry,
    args: [at('e.sock'), at('tee-a.json'), at('root.der')],
    log: () => {},
    onLine: () => {},
  })
  await enclave.ready
  while (!existsSync(at('root.der'))) await sleep(5)

  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const chains = await localChains(at('chain'), {})
  mkdirSync(at('data'))
  const server = await startDevServer({
    NODE_ENV: 'development',
    LOG_LEVEL: 'fatal',
    PORT: String(port),
    BASE_URL: baseUrl,
    SYMBOLON_DATA_DIR: at('data'),
    DATABASE_URL: database.url,
    SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
    KMS: `local:${at('kms.json')}`,
    SECRETS_FILE: at('secrets.json'),
    ENCLAVE_SOCKET: at('e.sock'),
    ENCLAVE_API_KEY: JSON.stringify(apiKey),
    ATTESTATION_ROOT: at('root.der'),
    ...chainEnvironment(chains.map(localUrls)),
    ...environment,
  })
  const running = startChains({
    chains,
    folder: at('chain'),
    environment: {},
    baseUrl,
    log: logFile(at('logs'), 'chain'),
    report: (line) => process.stderr.write(`${line}\n`),
  })
  await running.served()
  return {
    baseUrl,
    files: { secrets: at('secrets.json') },
    async stop() {
      await server.stop()
      await Promise.all([running.stop(), enclave.stop()])
      await database.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
