import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import { type Address, isOffCurveAddress } from '@solana/kit'
import { encodeIntent, networks, type SignIntent } from '@symbolon/networks'
import { chainByHandle, decodeForAgent, policyNames as names } from '@symbolon/networks/testing/by-intent'
import { compile, evaluate, parseLayers } from '@symbolon/policy'
import type { DecodingCost } from './decoding-costs.ts'
import { worstKey } from './network-bodies.ts'
import { solanaFrame } from './solana.ts'
import { cpuMs } from './thread-cost.ts'
import { times } from './worst-body.ts'

const tokenProgram = [...base58.decode('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')]
const key = (n: number, kind: number) => times(32, (i) => [n & 255, n >> 8, kind][i] ?? 7)
const textOf = (bytes: readonly number[]) => base58.encode(Uint8Array.from(bytes))
const recipientsMax = 256
const transfersMax = 18
// Answers are kept for fewer tokens than this.
const tokensCount = 300

/** Accounts without a key of their own, as token accounts have none. */
const accounts = times(200, (n) => key(n, 1))
  .filter((bytes) => isOffCurveAddress(textOf(bytes) as Address))
  .slice(0, transfersMax)
const recipients = [...accounts, ...times(recipientsMax - accounts.length, (n) => key(n, 2))].map(textOf)

/** As many transfers of the `n`th token as a packet holds, to listed accounts whose owners are looked for among all recipients. */
function transfers(n: number): Extract<SignIntent, { kind: 'transaction' }> {
  const keys = [[...worstKey('ed25519')], ...accounts, key(0, 3), key(n, 4), tokenProgram]
  const [source, mint, program] = [keys.length - 3, keys.length - 2, keys.length - 1]
  const amount = [1, 0, 0, 0, 0, 0, 0, 0]
  const instructions = accounts.map((_, i) => [program, 4, source, mint, i + 1, 0, 10, 12, ...amount, 6])
  const bytes = Uint8Array.from(solanaFrame(keys, 2, instructions))
  return { kind: 'transaction', network: 'solana', chain: 'solana', bytes }
}

/** What the evaluation of an agent's payload costs the enclave, its decoding included, where a policy makes that dear. */
export function agentCosts(): DecodingCost[] {
  const chain = chainByHandle('solana')
  if (chain === undefined) throw new Error('solana is not a chain')
  const grant = compile(
    parseLayers({
      organization: { token_mode: 'any' },
      agent: { allowed_recipients: recipients },
      session: { allowed_recipients: recipients },
    }),
    names,
  )
  const intents = times(tokensCount, transfers)
  const [first] = intents
  if (first === undefined) throw new Error('There is no payload.')
  let at = 0
  const cost = cpuMs(() => {
    const intent = intents[at++ % tokensCount] ?? first
    const { refusal } = evaluate(grant, {
      method: 'sendTransaction',
      chain,
      encoded: encodeIntent(networks, intent),
      decode: () => decodeForAgent(intent, 'ed25519', worstKey('ed25519')),
      sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
    })
    if (refusal !== null) throw new Error(`refused: ${refusal.reason}`)
  })
  if ('error' in cost) throw cost.error
  const name = `agent: ${accounts.length} transfers to token accounts, ${recipientsMax} recipients`
  return [{ network: 'solana', name, bytes: first.bytes.length, api_ms: 0, enclave_ms: cost.ms }]
}
