import { bytes, embedded, list, protoSchema, text, u64 } from '../codec/protobuf/proto-type.ts'
import { shownText } from '../preview/shown-text.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { checkedAccount, moduleAddress } from './address.ts'
import { checkedAmount, checkedCoin, coinSchema, type RawCoin } from './coins.ts'
import { type Args, administered, called, type MessageScope } from './described.ts'
import { type MessageRow, row } from './message-row.ts'

const routeIn = protoSchema({ pool_id: u64, token_out_denom: text })
const routeOut = protoSchema({ pool_id: u64, token_in_denom: text })
const splitIn = protoSchema({ pools: list(embedded(routeIn)), token_in_amount: text })

/** Messages of Osmosis: swaps in its pools, and who besides the key may sign for an account. */
export const swapMessages: readonly MessageRow[] = [
  ...['gamm', 'poolmanager'].flatMap((module) => [
    row(
      `osmosis.${module}.v1beta1.MsgSwapExactAmountIn`,
      `osmosis/${module}/swap-exact-amount-in`,
      {
        sender: text,
        routes: list(embedded(routeIn)),
        token_in: embedded(coinSchema),
        token_out_min_amount: text,
      },
      'sender',
      ({ sender, routes, token_in, token_out_min_amount }, scope) => {
        const denom = shownText(routes.at(-1)?.token_out_denom ?? '')
        const args = { at_least: `${checkedAmount(token_out_min_amount)} ${denom}`, ...poolsOf(routes) }
        return swapped(sender, token_in, args, scope)
      },
    ),
    row(
      `osmosis.${module}.v1beta1.MsgSwapExactAmountOut`,
      `osmosis/${module}/swap-exact-amount-out`,
      {
        sender: text,
        routes: list(embedded(routeOut)),
        token_in_max_amount: text,
        token_out: embedded(coinSchema),
      },
      'sender',
      ({ sender, routes, token_in_max_amount, token_out }, scope) => {
        const most = { denom: routes[0]?.token_in_denom ?? '', amount: token_in_max_amount }
        const args = { exactly: checkedCoin(token_out, scope.chain).label, ...poolsOf(routes) }
        return swapped(sender, most, args, scope)
      },
    ),
  ]),
  row(
    'osmosis.poolmanager.v1beta1.MsgSplitRouteSwapExactAmountIn',
    'osmosis/poolmanager/split-amount-in',
    { sender: text, routes: list(embedded(splitIn)), token_in_denom: text, token_out_min_amount: text },
    'sender',
    ({ sender, routes, token_in_denom, token_out_min_amount }, scope) => {
      const total = routes.reduce((sum, { token_in_amount }) => sum + checkedAmount(token_in_amount), 0n)
      const denom = shownText(routes[0]?.pools.at(-1)?.token_out_denom ?? '')
      const pools = poolsOf(routes.flatMap((route) => route.pools))
      const args = { at_least: `${checkedAmount(token_out_min_amount)} ${denom}`, ...pools }
      return swapped(sender, { denom: token_in_denom, amount: String(total) }, args, scope)
    },
  ),
  row(
    'osmosis.smartaccount.v1beta1.MsgAddAuthenticator',
    null,
    { sender: text, authenticator_type: text, data: bytes },
    'sender',
    ({ sender, authenticator_type }, { prefix }) => {
      const from = checkedAccount(sender, prefix)
      const args = { type: shownText(authenticator_type) }
      const warning = 'Account takeover: who passes this authenticator can act for the account.'
      return administered(
        { from, to: from, method: 'addAuthenticator' },
        'Add an authenticator',
        args,
        warning,
      )
    },
  ),
  row(
    'osmosis.smartaccount.v1beta1.MsgRemoveAuthenticator',
    'osmosis/MsgRemoveAuthenticator',
    { sender: text, id: u64 },
    'sender',
    ({ sender, id }, { prefix }) => {
      const from = checkedAccount(sender, prefix)
      const warning = 'This changes who may act for the account.'
      return administered(
        { from, to: from, method: 'removeAuthenticator' },
        'Remove an authenticator',
        { id: String(id) },
        warning,
      )
    },
  ),
]

/** A call of what is given away at most; what comes back is among the arguments. */
function swapped(
  sender: string,
  given: RawCoin | undefined,
  args: Args,
  { chain, prefix }: MessageScope,
): DescribedAction {
  const { asset, amount, display, label } = checkedCoin(given, chain)
  const to = moduleAddress(prefix, 'poolmanager')
  const { action } = called({ from: checkedAccount(sender, prefix), to, method: 'swap' }, '', args)
  return { action: { ...action, asset, amount, amountDisplay: display }, title: `Swap ${label}` }
}

function poolsOf(routes: readonly { readonly pool_id: bigint }[]): Args {
  return { pools: routes.map(({ pool_id }) => pool_id).join(', ') }
}
