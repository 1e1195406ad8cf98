import type { Answer } from '../../data/portal-client.ts'

type Wallet = Answer<'GET /v1/orgs/{orgID}/wallets'>['items'][number]

/** The curves with the networks that use them. */
export const curveNames: Record<Wallet['curve'], string> = {
  secp256k1: 'secp256k1 (EVM, Bitcoin, …)',
  ed25519: 'ed25519 (Solana, Near, …)',
}
