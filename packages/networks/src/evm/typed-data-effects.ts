import type { Chain } from '../chain.ts'
import type { Action, Decoded, Effect } from '../effect.ts'
import { ownValue } from '../own-value.ts'
import { tokenDisplay } from '../preview/amount-display.ts'
import { plainText } from '../preview/plain-text.ts'
import { checksumAddress, parseAddress } from './address.ts'
import { isUnlimitedApproval, unlimitedWarning } from './call-effects.ts'
import { evmTokenDisplay } from './known-tokens.ts'
import { permit2Address } from './permit2.ts'
import { type TypedData, typedDataPayload } from './typed-data.ts'
import { parseInteger } from './typed-data-atomic.ts'
import { encodeType } from './typed-data-types.ts'
import type { JsonObject } from './typed-data-value.ts'

/** More effects than a person reads; such typed data counts as unknown. */
const effectsMax = 50

type Meaning = (message: JsonObject, contract: string, signer: string) => readonly Effect[]

const details = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)'
const permitted = 'TokenPermissions(address token,uint256 amount)'
const authorization =
  'WithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)'

/** Meaning by exact type: EIP-2612, DAI's permit, EIP-3009. */
const tokenTypes: Readonly<Record<string, Meaning>> = {
  'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)': (
    message,
    contract,
  ) => [
    approval(contract, integer(message['value']), address(message['owner']), address(message['spender'])),
  ],
  'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)': (message, contract) => [
    approval(
      contract,
      message['allowed'] === true ? null : 0n,
      address(message['holder']),
      address(message['spender']),
    ),
  ],
  [`Transfer${authorization}`]: authorizedTransfer,
  [`Receive${authorization}`]: authorizedTransfer,
}

/** Meaning by exact type when the domain is Permit2's own contract. */
const permit2Types: Readonly<Record<string, Meaning>> = {
  [`PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${details}`]: permit2('details'),
  [`PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${details}`]: permit2('details'),
  [`PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)${permitted}`]:
    permit2('permitted'),
  [`PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)${permitted}`]:
    permit2('permitted'),
}

/** What typed data does when its signature is used; unknown types are one `unknown` effect with a warning. */
export function decodeTypedDataEffects(typed: TypedData, chain: Chain, signer: string): Decoded {
  typedDataPayload(typed)
  const { types, primaryType, domain, message } = typed
  const contract = domain['verifyingContract'] === undefined ? null : address(domain['verifyingContract'])
  const meaning = contract === null ? undefined : meaningOf(encodeType(primaryType, types), contract)
  const effects = contract === null ? undefined : meaning?.(message, contract, signer)
  const warnings = chainWarnings(domain, chain)
  if (!effects || effects.length > effectsMax) {
    warnings.push('The effects of this typed data are unknown.')
    return { title: titleOf(typed), actions: [unknownAction(typed, signer, contract)], fee: null, warnings }
  }
  // Without a chain in its domain, or with another, the contract may be anything there.
  const isOfChain = domain['chainId'] !== undefined && warnings.length === 0
  const actions = effects.map((effect) => ({
    ...effect,
    amountDisplay: isOfChain
      ? evmTokenDisplay(effect.asset, effect.amount, chain)
      : tokenDisplay(effect.amount),
    method: primaryType,
    args: flatten(message),
  }))
  warnings.push(...effects.filter(isUnlimitedApproval).map((effect) => unlimitedWarning(effect)))
  return { title: titleOf(typed), actions, fee: null, warnings }
}

function meaningOf(type: string, contract: string): Meaning | undefined {
  const permit = contract === permit2Address ? ownValue(permit2Types, type) : undefined
  return permit ?? ownValue(tokenTypes, type)
}

function permit2(member: 'details' | 'permitted'): Meaning {
  return (message, _, signer) => {
    const entries = message[member]
    const spender = address(message['spender'])
    return (Array.isArray(entries) ? entries : [entries]).map(({ token, amount }: JsonObject) =>
      approval(address(token), integer(amount), signer, spender),
    )
  }
}

function authorizedTransfer(message: JsonObject, contract: string): readonly Effect[] {
  const from = address(message['from'])
  return [
    {
      kind: 'transfer',
      asset: contract,
      amount: integer(message['value']),
      from,
      to: address(message['to']),
    },
  ]
}

function approval(asset: string, amount: bigint | null, from: string, to: string): Effect {
  return { kind: 'approval', asset, amount, from, to }
}

function unknownAction({ primaryType, message }: TypedData, from: string, to: string | null): Action {
  const args = flatten(message)
  return {
    kind: 'unknown',
    asset: null,
    amount: null,
    from,
    to,
    amountDisplay: null,
    method: primaryType,
    args,
  }
}

/** At most 64 characters of the domain's name, unless it holds hidden ones. */
function titleOf({ primaryType, domain }: TypedData): string {
  const name = domain['name']
  const shown = typeof name === 'string' ? plainText([...name].slice(0, 64).join('')) : undefined
  return `Sign ${primaryType}${shown === undefined || shown === '' ? '' : ` for ${shown}`}`
}

function chainWarnings(domain: JsonObject, chain: Chain): string[] {
  const chainId = domain['chainId']
  if (chainId === undefined || parseInteger(chainId) === BigInt(chain.chainId ?? -1)) return []
  return [`This is for the chain with id ${parseInteger(chainId)}, not for ${chain.handle}.`]
}

/** Top-level members as text; nested ones as JSON. */
function flatten(message: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(message).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
}

/** Values have been checked by hashing them; these two only convert. */
function address(value: unknown): string {
  const bytes = typeof value === 'string' ? parseAddress(value) : undefined
  return checksumAddress(bytes ?? new Uint8Array(20))
}

function integer(value: unknown): bigint {
  return parseInteger(value)
}
