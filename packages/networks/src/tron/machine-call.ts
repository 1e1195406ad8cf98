import { toHex, toHex0x } from '../codec/hex.ts'
import type { Effect } from '../effect.ts'
import { readCallData } from '../evm/abi-reader.ts'
import { isUnlimitedApproval, unlimitedWarning } from '../evm/call-effects.ts'
import type { KnownMethod, MethodMeaning } from '../evm/known-method.ts'
import { knownMethod } from '../evm/known-methods.ts'
import { invalidPayload } from '../network-error.ts'
import { ownValue } from '../own-value.ts'
import { isUnlimited, nativeDisplay } from '../preview/amount-display.ts'
import { excerptHex } from '../preview/excerpt.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { machineAddressText } from './address.ts'
import { type ContractScope, unknown } from './described.ts'
import { knownTokens } from './known-tokens.ts'

type MethodCall = { readonly method: KnownMethod; readonly meaning: MethodMeaning }

/** What a call of a contract (T…) does besides moving what is attached: the methods that EVM contracts have too. */
export function describeMachineCall(
  data: Uint8Array,
  contract: string,
  scope: ContractScope,
): DescribedAction[] {
  const known = readKnownMethod(data, contract, scope)
  if (known) return describeKnown(known, scope)
  const method = data.length < 4 ? null : toHex0x(data.subarray(0, 4))
  const args = data.length === 0 ? null : { data: excerptHex(data) }
  return [unknown(scope, 'Unknown contract call', contract, method, args)]
}

/** A selector of a known method with arguments that are not its own encoding is not that method. */
function readKnownMethod(
  data: Uint8Array,
  contract: string,
  { owner }: ContractScope,
): MethodCall | undefined {
  const method = knownMethod(toHex(data.subarray(0, 4)))
  const meaning =
    method &&
    readCallData(data, method.argumentCount, (reader) => {
      const address = () => readAddress(reader.word())
      return method.read({ ...reader, address }, { contract, sender: owner })
    })
  return method && meaning && { method, meaning }
}

function readAddress(word: Uint8Array): string {
  if (word.subarray(0, 12).some((byte) => byte !== 0)) throw invalidPayload('An address is not canonical.')
  return machineAddressText(word.subarray(12))
}

function describeKnown({ method, meaning }: MethodCall, scope: ContractScope): DescribedAction[] {
  return meaning.effects.map((effect, index) => {
    const amountDisplay = tokenDisplay(effect, scope)
    const warnings = isUnlimitedApproval(effect) ? [unlimitedWarning(effect)] : []
    if (index === 0 && meaning.warning !== undefined) warnings.push(meaning.warning)
    const isNamed = effect.kind === 'transfer' && amountDisplay !== null
    return {
      action: { ...effect, amountDisplay, method: method.name, args: meaning.args },
      title: isNamed ? `Send ${amountDisplay}` : method.title,
      ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    }
  })
}

/** The decimals of a token are known for the main network's best known ones only. */
function tokenDisplay({ kind, asset, amount }: Effect, { chain }: ContractScope): string | null {
  if (kind === 'approval' && isUnlimited(amount)) return 'unlimited'
  const token = chain.handle === 'tron' && asset !== null ? ownValue(knownTokens, asset) : undefined
  return token === undefined || amount === null ? null : nativeDisplay(amount, token)
}
