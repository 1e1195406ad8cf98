import { generateKeyPairSync } from 'node:crypto'
import { ConfigError, readConfig } from '@symbolon/server/config'
import { chainEnvironment, localUrls, wantedHandles } from './local-chains.ts'
import type { StartConfig } from './start-config.ts'

/** What the start itself gives the API, whose values are right. */
const standIns = {
  DATABASE_URL: 'postgres://127.0.0.1/symbolon',
  KMS: 'local:keys.json',
  SECRETS_FILE: 'secrets.json',
  ENCLAVE_SOCKET: 'enclave.sock',
  SMTP_URL: 'smtp://127.0.0.1:25',
  ATTESTATION_ROOT: 'root.der',
}

/**
 * What the API would refuse of the developer's settings, before any part is started: sentences that begin with the variable's name. Only
 * for starts with such settings, because loading the API's schema takes its time.
 */
export function serverComplaints({
  passedOn,
  databaseUrl,
  smtpUrl,
  kms,
  hasChain,
}: Pick<StartConfig, 'passedOn' | 'databaseUrl' | 'smtpUrl' | 'kms' | 'hasChain'>): string[] {
  const chains = hasChain ? wantedHandles(passedOn) : []
  const urls = chains.map((handle) => localUrls({ handle, rpcPort: 1, bundlerPort: 1, paymasterPort: 1 }))
  try {
    readConfig(
      {
        ...passedOn,
        ...standIns,
        ENCLAVE_API_KEY: JSON.stringify(generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })),
        ...chainEnvironment(urls, passedOn),
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
        ...(smtpUrl !== undefined && { SMTP_URL: smtpUrl }),
        ...(kms !== undefined && { KMS: kms }),
      },
      'development',
    )
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
}
