import type { AgentDecoded, AgentMethod, Chain } from '@symbolon/networks'
import { checkChain, checkDecodedChains, checkMethod } from './check-chain.ts'
import { checkContracts } from './check-contracts.ts'
import { checkDecoded } from './check-decoded.ts'
import { checkPerTx, checkTotals } from './check-limits.ts'
import { checkRecipients } from './check-recipients.ts'
import { checkSignIn } from './check-sign-in.ts'
import { checkTokens } from './check-tokens.ts'
import type { Compiled } from './compile.ts'
import type { Decision } from './decision.ts'
import { examine } from './examination.ts'
import { spendsOf } from './spends-of.ts'
import { sumsOf } from './sums-of.ts'

/** What an agent asks to have signed, to be evaluated. */
export type SigningRequest = {
  readonly method: AgentMethod
  readonly chain: Chain
  /** The intent as bytes: names the payload in events where it was refused before it was decoded, and cannot be. */
  readonly encoded: Uint8Array
  /** Takes the payload apart; called once method and chain are allowed. What it throws is thrown. */
  decode(): AgentDecoded
  /** SHA-256 in lower-case hex. */
  sha256(bytes: Uint8Array): string
  /** Whether to note the checks that passed. */
  readonly explain?: boolean
}

/** To remember names costs more than it saves in a payload that has no more effects. */
const fewEffects = 16

/**
 * Evaluates a request by compiled layers. The order is fixed, so that the first reason is: method, chain, decode, recipients,
 * contracts, tokens, the organization's cap per transaction, then the agent's and the session's, then totals (agents.md
 * "Policy"). Sums over time are the database's: `spends` are what it has to reserve, none where the request is refused.
 */
export function evaluate(grant: Compiled, request: SigningRequest): Decision {
  const { method, chain, sha256 } = request
  const examination = examine(request.explain ?? false)
  const isOpen = checkMethod(grant, method, examination) && checkChain(grant, chain, examination)
  // Refused already: the decision describes the payload if it can be decoded.
  const decoded = isOpen ? request.decode() : unlessBroken(request.decode)
  if (decoded === undefined) {
    const payloadSha256 = sha256(request.encoded)
    return {
      ...decisionOf(examination),
      ...nothing,
      method,
      chain: chain.handle,
      payloadSha256,
      digestSha256: payloadSha256,
    }
  }
  const isLong = decoded.effects.length > fewEffects
  const compiled = isLong ? { ...grant, names: grant.names.remembered() } : grant
  const sums = sumsOf(decoded, compiled)
  const measured = { method, decoded, sums }
  const spends = spendsOf(compiled, measured)
  const isAllowed =
    isOpen &&
    checkDecodedChains(compiled, decoded, examination) &&
    checkDecoded(compiled, decoded, examination) &&
    checkSignIn(compiled, decoded, examination) &&
    checkRecipients(compiled, decoded, examination) &&
    checkContracts(compiled, decoded, examination) &&
    checkTokens(compiled, decoded, examination) &&
    checkPerTx(compiled, measured, examination) &&
    checkTotals(spends, examination)
  const { effects } = decoded
  return {
    ...decisionOf(examination),
    method,
    chain: chain.handle,
    target: effects[0]?.to ?? effects[0]?.contract ?? null,
    value: sums.native,
    fee: decoded.fee,
    asset: effects.length > 0 ? chain.nativeAsset.symbol : null,
    effects: effects.map(({ kind, asset, amount, to }) => ({ kind, asset, amount, to })),
    spends: isAllowed ? spends : [],
    payloadSha256: sha256(decoded.payload),
    digestSha256: sha256(decoded.digests),
  }
}

const nothing = { target: null, value: 0n, fee: null, asset: null, effects: [], spends: [] } as const

function decisionOf({ checks, refusal }: ReturnType<typeof examine>): Pick<Decision, 'checks' | 'refusal'> {
  return { checks, refusal: refusal() }
}

function unlessBroken(decode: () => AgentDecoded): AgentDecoded | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}
