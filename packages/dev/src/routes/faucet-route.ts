import type { FastifyInstance } from 'fastify'
import { type Hex, isAddress } from 'viem'
import type { DevChainAccess } from './dev-chain.ts'
import { fields, json, refuse } from './raw-answer.ts'

/** More than there will ever be of any coin, and far below what a balance can hold. */
const weiMax = 10n ** 36n
const decimal = /^(0|[1-9]\d{0,36})$/

/**
 * `POST /dev/faucet {address, amount_wei, chain?}` -> `{tx_hash}`: native coins on a local chain (`local` by default), a
 * mined transaction. The amount is a decimal string. 400 for invalid input, 503 while the chain is unreachable.
 */
export function faucetRoute(app: FastifyInstance, chains: readonly DevChainAccess[]): void {
  app.post('/dev/faucet', async (request, reply) => {
    const { address, amount_wei: amount, chain: handle = 'local' } = fields(request.body)
    // A checksum is checked where the text has one.
    if (typeof address !== 'string' || !isAddress(address))
      return refuse(reply, 'address must be an EVM address')
    if (typeof amount !== 'string' || !decimal.test(amount) || BigInt(amount) > weiMax)
      return refuse(reply, 'amount_wei must be a decimal string up to 10^36')
    const chain = chains.find((candidate) => candidate.handle === handle)
    if (chain === undefined)
      return refuse(
        reply,
        `chain must be one of the local chains: ${chains.map((one) => one.handle).join(', ') || 'all are off'}`,
      )
    try {
      return json(reply, { tx_hash: await chain.fund(address as Hex, BigInt(amount)) })
    } catch {
      return refuse(reply, `the chain ${chain.handle} does not answer`, 503)
    }
  })
}
