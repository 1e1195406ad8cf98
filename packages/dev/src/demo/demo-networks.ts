import type { DemoClient } from './demo-client.ts'
import { insist, step } from './demo-step.ts'
import { aptosDemo } from './networks/aptos-demo.ts'
import { bitcoinDemo } from './networks/bitcoin-demo.ts'
import { cosmosDemo } from './networks/cosmos-demo.ts'
import { evmDemo } from './networks/evm-demo.ts'
import { nearDemo } from './networks/near-demo.ts'
import type { DemoWallet, NetworkDemo, SignedTransaction } from './networks/network-demo.ts'
import { solanaDemo } from './networks/solana-demo.ts'
import { stellarDemo } from './networks/stellar-demo.ts'
import { tronDemo } from './networks/tron-demo.ts'

/** A transaction of each network, made and verified by its own library. */
export const networkDemos: readonly NetworkDemo[] = [
  evmDemo,
  bitcoinDemo,
  tronDemo,
  cosmosDemo,
  solanaDemo,
  nearDemo,
  aptosDemo,
  stellarDemo,
]

/** One TEE wallet per curve signs a transaction of every network; each network's own library makes and verifies it. */
export async function demoNetworks({ call, callAsBackend }: DemoClient): Promise<void> {
  const wallets = new Map<NetworkDemo['curve'], DemoWallet>()
  for (const curve of ['secp256k1', 'ed25519'] as const) {
    const wallet = await step(`create a TEE wallet (${curve})`, async () => {
      const made = await call<DemoWallet>('POST', '/v1/wallets', { curve })
      return [made, Object.keys(made.addresses).join(', ')]
    })
    wallets.set(curve, wallet)
  }
  for (const { chain, curve, library, make } of networkDemos) {
    const wallet = wallets.get(curve)
    if (wallet === undefined) continue
    await step(`sign a transaction of ${chain}`, async () => {
      const { transaction, isSigned } = make(wallet)
      // As the backend: a user may sign only so often in a few seconds.
      const answer = await callAsBackend<SignedTransaction>('POST', '/v1/s2s/sign', {
        wallet_id: wallet.id,
        type: 'transaction',
        chain,
        transaction,
      })
      insist(await isSigned(answer), `${library} verifies the transaction of ${chain}`)
      const { decoded_preview: preview, transaction_hash: hash } = answer
      return [
        undefined,
        `${preview.title}\n${' '.repeat(54)}${hash}\n${' '.repeat(54)}verified by ${library}`,
      ]
    })
  }
}
