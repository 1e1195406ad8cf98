import { embedded, list, protoSchema, text } from '../codec/protobuf/proto-type.ts'
import { invalidPayload } from '../network-error.ts'
import { expiryMs } from '../preview/expiry.ts'
import { shownText } from '../preview/shown-text.ts'
import { checkedAccount, moduleAddress } from './address.ts'
import { authorizationText, spendLimits } from './authorizations.ts'
import { administered, called, type MessageMethod } from './described.ts'
import { anySchema, timestampSchema } from './google-types.ts'
import { type MessageRow, row } from './message-row.ts'

const grant = protoSchema({ authorization: embedded(anySchema), expiration: embedded(timestampSchema) })

/** Messages by which others may act for an account (cosmos.authz) or spend its coins on fees (cosmos.feegrant). */
export const authorityMessages: readonly MessageRow[] = [
  row(
    'cosmos.authz.v1beta1.MsgGrant',
    'cosmos-sdk/MsgGrant',
    { granter: text, grantee: text, grant: embedded(grant) },
    'granter',
    (message, scope) => {
      const from = checkedAccount(message.granter, scope.prefix)
      const to = checkedAccount(message.grantee, scope.prefix)
      const what = authorizationText(message.grant?.authorization, scope)
      const args = { authorization: what, expires: expiryText(message.grant?.expiration?.seconds) }
      const warning = `Account takeover: ${to} may act for this account: ${what}.`
      return administered({ from, to, method: 'grant' }, 'Let another act for the account', args, warning)
    },
  ),
  row(
    'cosmos.authz.v1beta1.MsgExec',
    'cosmos-sdk/MsgExec',
    { grantee: text, msgs: list(embedded(anySchema)) },
    'grantee',
    ({ grantee, msgs }, scope) => {
      const from = checkedAccount(grantee, scope.prefix)
      const to = moduleAddress(scope.prefix, 'authz')
      const act = called({ from, to, method: 'exec' }, 'Act for another account', {
        messages: String(msgs.length),
      })
      return [act, ...msgs.flatMap((message) => scope.describeInner(message))]
    },
  ),
  row(
    'cosmos.authz.v1beta1.MsgRevoke',
    'cosmos-sdk/MsgRevoke',
    { granter: text, grantee: text, msg_type_url: text },
    'granter',
    ({ granter, grantee, msg_type_url }, { prefix }) => {
      const from = checkedAccount(granter, prefix)
      const to = checkedAccount(grantee, prefix)
      const args = { message: shownText(msg_type_url) }
      return called({ from, to, method: 'revoke' }, 'End what another may do', args)
    },
  ),
  row(
    'cosmos.feegrant.v1beta1.MsgGrantAllowance',
    'cosmos-sdk/MsgGrantAllowance',
    { granter: text, grantee: text, allowance: embedded(anySchema) },
    'granter',
    ({ granter, grantee, allowance }, scope) => {
      const from = checkedAccount(granter, scope.prefix)
      const to = checkedAccount(grantee, scope.prefix)
      if (allowance === undefined) throw invalidPayload('An allowance of the transaction is malformed.')
      const method: MessageMethod = 'grantAllowance'
      const approval = { kind: 'approval', from, to, method, args: null } as const
      const title = 'Let another spend on fees'
      const limits = spendLimits(allowance, scope)
      if (limits === null) {
        const { symbol } = scope.chain.nativeAsset
        const warning = `Unlimited approval: ${to} may spend all coins on fees.`
        return {
          action: { ...approval, asset: symbol, amount: null, amountDisplay: 'unlimited' },
          title,
          warning,
        }
      }
      return limits.map(({ asset, amount, display }) => ({
        action: { ...approval, asset, amount, amountDisplay: display },
        title,
      }))
    },
  ),
  row(
    'cosmos.feegrant.v1beta1.MsgRevokeAllowance',
    'cosmos-sdk/MsgRevokeAllowance',
    { granter: text, grantee: text },
    'granter',
    ({ granter, grantee }, { prefix }) => {
      const from = checkedAccount(granter, prefix)
      const to = checkedAccount(grantee, prefix)
      return called({ from, to, method: 'revokeAllowance' }, 'End an allowance for fees')
    },
  ),
]

function expiryText(seconds: bigint | undefined): string {
  const timeMs = seconds === undefined ? undefined : expiryMs(seconds)
  return timeMs === undefined ? 'never' : new Date(timeMs).toISOString()
}
