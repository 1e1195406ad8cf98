import { embedded, list, type ProtoSchema, protoSchema, text, u32 } from '../codec/protobuf/proto-type.ts'
import { readPartly } from '../codec/protobuf/read-message.ts'
import { shownText } from '../preview/shown-text.ts'
import { type Coin, checkedCoin, coinSchema } from './coins.ts'
import { type AnyMessage, coinsText, type MessageScope } from './described.ts'
import { anySchema, durationSchema, timestampSchema } from './google-types.ts'

const coins = list(embedded(coinSchema))
const validators = protoSchema({ address: list(text) })

const generic = protoSchema({ msg: text })
const send = protoSchema({ spend_limit: coins, allow_list: list(text) })
const stake = protoSchema({
  max_tokens: embedded(coinSchema),
  allow_list: embedded(validators),
  deny_list: embedded(validators),
  authorization_type: u32,
})
const basic = protoSchema({ spend_limit: coins, expiration: embedded(timestampSchema) })
const periodic = protoSchema({
  basic: embedded(basic),
  period: embedded(durationSchema),
  period_spend_limit: coins,
  period_can_spend: coins,
  period_reset: embedded(timestampSchema),
})
const allowedMessages = protoSchema({ allowance: embedded(anySchema), allowed_messages: list(text) })

const authz = '/cosmos.authz.v1beta1.GenericAuthorization'
const bank = '/cosmos.bank.v1beta1.SendAuthorization'
const staking = '/cosmos.staking.v1beta1.StakeAuthorization'
const feegrant = '/cosmos.feegrant.v1beta1.'

/** Authorizations and allowances that have one form in amino JSON, by their names there. */
export const aminoAuthorizations: Readonly<
  Record<string, { readonly typeUrl: string; readonly schema: ProtoSchema<unknown> }>
> = {
  'cosmos-sdk/GenericAuthorization': { typeUrl: authz, schema: generic as ProtoSchema<unknown> },
  'cosmos-sdk/SendAuthorization': { typeUrl: bank, schema: send as ProtoSchema<unknown> },
  'cosmos-sdk/BasicAllowance': {
    typeUrl: `${feegrant}BasicAllowance`,
    schema: basic as ProtoSchema<unknown>,
  },
  'cosmos-sdk/PeriodicAllowance': {
    typeUrl: `${feegrant}PeriodicAllowance`,
    schema: periodic as ProtoSchema<unknown>,
  },
  'cosmos-sdk/AllowedMsgAllowance': {
    typeUrl: `${feegrant}AllowedMsgAllowance`,
    schema: allowedMessages as ProtoSchema<unknown>,
  },
}

/** What an authorization lets another do, in words. */
export function authorizationText(given: AnyMessage | undefined, scope: MessageScope): string {
  if (given?.type_url === authz) {
    const { message, isWhole } = readPartly(given.value, generic)
    if (isWhole) return `any ${shownText(message.msg)}`
  }
  if (given?.type_url === bank) {
    const { message, isWhole } = readPartly(given.value, send)
    const to = message.allow_list.length === 0 ? 'anybody' : message.allow_list.map(shownText).join(', ')
    const limit = message.spend_limit.length === 0 ? 'nothing' : coinsText(message.spend_limit, scope)
    if (isWhole) return `send up to ${limit} to ${to}`
  }
  if (given?.type_url === staking) {
    const { message, isWhole } = readPartly(given.value, stake)
    const limit = message.max_tokens ? `up to ${coinsText([message.max_tokens], scope)}` : 'any amount'
    if (isWhole) return `stake, unstake or move stakes of ${limit}`
  }
  return shownText(given?.type_url ?? '') || 'anything'
}

/** As deep as allowances stand within each other. */
const depthMax = 3

/** What another may spend on fees, or `null` without a limit (also where the kind of allowance is not known). */
export function spendLimits(given: AnyMessage, scope: MessageScope, depth = 0): readonly Coin[] | null {
  const limited = (amount: readonly { denom: string; amount: string }[] | undefined) =>
    amount === undefined || amount.length === 0 ? null : amount.map((coin) => checkedCoin(coin, scope.chain))
  if (given.type_url === `${feegrant}BasicAllowance`) {
    const { message, isWhole } = readPartly(given.value, basic)
    if (isWhole) return limited(message.spend_limit)
  }
  if (given.type_url === `${feegrant}PeriodicAllowance`) {
    const { message, isWhole } = readPartly(given.value, periodic)
    if (isWhole) return limited(message.basic?.spend_limit)
  }
  if (given.type_url === `${feegrant}AllowedMsgAllowance` && depth < depthMax) {
    const { message, isWhole } = readPartly(given.value, allowedMessages)
    if (isWhole && message.allowance) return spendLimits(message.allowance, scope, depth + 1)
  }
  return null
}
