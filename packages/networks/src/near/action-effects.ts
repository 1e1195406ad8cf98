import type { Chain } from '../chain.ts'
import type { Action } from '../effect.ts'
import { ownValue } from '../own-value.ts'
import { nativeDisplay } from '../preview/amount-display.ts'
import { shownText } from '../preview/shown-text.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { keyText, type NearAction } from './actions.ts'
import { knownTokens } from './known-tokens.ts'
import { tokenCall } from './token-call.ts'

/** Who acts on whom. */
type Parties = { readonly signer: string; readonly receiver: string; readonly chain: Chain }

type FunctionCall = Extract<NearAction, { type: 'functionCall' }>
type Args = Readonly<Record<string, string>>

/** What one action does, as one or two effects; those of a delegate action are its sender's. */
export function describeAction(action: NearAction, parties: Parties): DescribedAction[] {
  const { signer, receiver, chain } = parties
  switch (action.type) {
    case 'transfer':
      return [sent(action.deposit, parties)]
    case 'functionCall':
      return describeCall(action, parties)
    case 'createAccount':
      return [known(parties, action.type, receiver, {}, 'Create an account')]
    case 'stake': {
      const args = { amount: String(action.amount), validator_key: keyText(action.key) }
      const title = `Stake ${nativeDisplay(action.amount, chain.nativeAsset)}`
      return [known(parties, action.type, signer, args, title)]
    }
    case 'delegate': {
      const { sender, receiver, actions } = action.delegate
      const relay = known(parties, action.type, sender, { sender, receiver }, 'Relay actions')
      const inner = { ...parties, signer: sender, receiver }
      return [relay, ...actions.flatMap((each) => describeAction(each, inner))]
    }
    default:
      return [describeAdmin(action, parties)]
  }
}

type AdminAction = Exclude<
  NearAction,
  { type: 'transfer' | 'functionCall' | 'createAccount' | 'stake' | 'delegate' }
>

/** What an action changes of the account's keys and code. */
function describeAdmin(action: AdminAction, parties: Parties): DescribedAction {
  const { receiver } = parties
  const as = (to: string, args: Args, title: string, warning: string) =>
    admin(parties, action.type, to, args, title, warning)
  switch (action.type) {
    case 'deployContract': {
      const warning = `Account takeover: new code will control ${receiver} and all it holds.`
      return as(receiver, { bytes: String(action.code.length) }, 'Deploy a contract', warning)
    }
    case 'addKey':
      return describeKey(action, parties)
    case 'deleteKey': {
      const key = keyText(action.key)
      const warning = `The key ${key} will no longer control ${receiver}.`
      return as(receiver, { public_key: key }, 'Remove a key', warning)
    }
    case 'deleteAccount': {
      const { beneficiary } = action
      const warning = `The account ${receiver} is deleted, all its NEAR goes to ${beneficiary}.`
      return as(beneficiary, { account: receiver }, 'Delete the account', warning)
    }
    case 'deployGlobalContract': {
      const args = { bytes: String(action.code.length), by: action.by }
      const warning = 'The code is published for all accounts; the NEAR for its storage is burnt.'
      return as(receiver, args, 'Deploy a global contract', warning)
    }
    case 'useGlobalContract': {
      const { contract } = action
      const warning = `Account takeover: the code of ${contract} will control ${receiver} and all it holds.`
      return as(receiver, { contract }, 'Use a global contract', warning)
    }
  }
}

const bare = { asset: null, amount: null, amountDisplay: null } as const

function sent(amount: bigint, { signer, receiver, chain }: Parties): DescribedAction {
  const amountDisplay = nativeDisplay(amount, chain.nativeAsset)
  const action: Action = {
    kind: 'transfer',
    asset: chain.nativeAsset.symbol,
    amount,
    from: signer,
    to: receiver,
    amountDisplay,
    method: null,
    args: null,
  }
  return { action, title: `Send ${amountDisplay}` }
}

function known({ signer }: Parties, method: string, to: string, args: Args, title: string): DescribedAction {
  return { action: { ...bare, kind: 'call', from: signer, to, method, args }, title }
}

function admin(
  { signer }: Parties,
  method: string,
  to: string,
  args: Args,
  title: string,
  warning: string,
): DescribedAction {
  return { action: { ...bare, kind: 'admin', from: signer, to, method, args }, title, warning }
}

/** The tokens of a known method, otherwise the deposit and a call of unknown effects. */
function describeCall(call: FunctionCall, parties: Parties): DescribedAction[] {
  const { signer, receiver } = parties
  const token = call.deposit === 1n ? tokenCall(call.method, call.args) : undefined
  if (token === undefined) {
    const deposit = call.deposit > 0n ? [sent(call.deposit, parties)] : []
    return [...deposit, unknownCall(call, parties)]
  }
  const amountDisplay = tokenAmount(receiver, token.amount)
  const action = { ...token, asset: receiver, from: signer, amountDisplay, method: call.method }
  const title = token.kind === 'approval' ? 'Approve an NFT' : `Send ${amountDisplay ?? 'tokens'}`
  return [{ action, title }]
}

function tokenAmount(contract: string, amount: bigint | null): string | null {
  const token = ownValue(knownTokens, contract)
  return token === undefined || amount === null ? null : nativeDisplay(amount, token)
}

function unknownCall(
  { method, args, gas, deposit }: FunctionCall,
  { signer, receiver }: Parties,
): DescribedAction {
  const name = shownText(method)
  const shown = { args: shownText(args), gas: String(gas), deposit: String(deposit) }
  return {
    action: { ...bare, kind: 'unknown', from: signer, to: receiver, method: name, args: shown },
    title: `Call ${name}`,
    warning: `The effects of ${name} on ${receiver} are unknown.`,
  }
}

function describeKey(
  { key: keyBytes, permission }: Extract<NearAction, { type: 'addKey' }>,
  parties: Parties,
): DescribedAction {
  const key = keyText(keyBytes)
  const { receiver } = parties
  if (permission === 'full access') {
    const args = { public_key: key, permission }
    const warning = `Account takeover: ${key} will control ${receiver} and all it holds.`
    return admin(parties, 'addKey', receiver, args, 'Add a key with full access', warning)
  }
  const { allowance, methods, receiver: contract } = permission
  const limit = allowance === null ? 'any amount' : nativeDisplay(allowance, parties.chain.nativeAsset)
  const args = {
    public_key: key,
    contract,
    allowance: limit,
    methods: methods.map(shownText).join(', ') || 'any',
  }
  const warning = `${key} may call ${contract} for ${receiver} and spend ${limit} on fees.`
  return admin(parties, 'addKey', receiver, args, 'Add a key for one contract', warning)
}
