import type { Chain } from '../chain.ts'
import type { Action } from '../effect.ts'
import { nativeDisplay } from '../preview/amount-display.ts'
import { shownText } from '../preview/shown-text.ts'
import type { ToldAction } from '../preview/summarize.ts'
import { keyText, type NearAction } from './actions.ts'
import { knownTokens } from './known-tokens.ts'
import { tokenCall } from './token-call.ts'

/** Who acts on whom. */
type Parties = { readonly signer: string; readonly receiver: string; readonly chain: Chain }

type FunctionCall = Extract<NearAction, { type: 'functionCall' }>
type Args = Readonly<Record<string, string>>

/** What one action does, as one or two effects; those of a delegate action are its sender's. */
export function tellAction(action: NearAction, parties: Parties): ToldAction[] {
  const { signer, receiver } = parties
  switch (action.type) {
    case 'transfer':
      return [sent(action.deposit, parties)]
    case 'functionCall':
      return tellCall(action, parties)
    case 'createAccount':
      return [known(parties, 'createAccount', receiver, {}, 'Create an account')]
    case 'stake':
      return [
        known(
          parties,
          'stake',
          signer,
          { amount: String(action.amount), validator_key: keyText(action.key) },
          `Stake ${nativeDisplay(action.amount, parties.chain.nativeAsset)}`,
        ),
      ]
    case 'deployContract':
      return [
        admin(
          parties,
          'deployContract',
          receiver,
          { bytes: String(action.code.length) },
          'Deploy a contract',
          `Account takeover: new code will control ${receiver} and all it holds.`,
        ),
      ]
    case 'addKey':
      return [tellKey(action, parties)]
    case 'deleteKey':
      return [
        admin(
          parties,
          'deleteKey',
          receiver,
          { public_key: keyText(action.key) },
          'Remove a key',
          `The key ${keyText(action.key)} will no longer control ${receiver}.`,
        ),
      ]
    case 'deleteAccount':
      return [
        admin(
          parties,
          'deleteAccount',
          action.beneficiary,
          { account: receiver },
          'Delete the account',
          `The account ${receiver} is deleted, all its NEAR goes to ${action.beneficiary}.`,
        ),
      ]
    case 'deployGlobalContract':
      return [
        admin(
          parties,
          'deployGlobalContract',
          receiver,
          { bytes: String(action.code.length), by: action.by },
          'Deploy a global contract',
          'The code is published for all accounts; the NEAR for its storage is burnt.',
        ),
      ]
    case 'useGlobalContract':
      return [
        admin(
          parties,
          'useGlobalContract',
          receiver,
          { contract: action.contract },
          'Use a global contract',
          `Account takeover: the code of ${action.contract} will control ${receiver} and all it holds.`,
        ),
      ]
    case 'delegate': {
      const { sender, actions } = action.delegate
      const inner = { ...parties, signer: sender, receiver: action.delegate.receiver }
      const relay = known(parties, 'delegate', sender, { sender, receiver: inner.receiver }, 'Relay actions')
      return [relay, ...actions.flatMap((each) => tellAction(each, inner))]
    }
  }
}

const bare = { asset: null, amount: null, amountDisplay: null } as const

function sent(amount: bigint, { signer, receiver, chain }: Parties): ToldAction {
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

function known({ signer }: Parties, method: string, to: string, args: Args, title: string): ToldAction {
  return { action: { ...bare, kind: 'call', from: signer, to, method, args }, title }
}

function admin(
  { signer }: Parties,
  method: string,
  to: string,
  args: Args,
  title: string,
  warning: string,
): ToldAction {
  return { action: { ...bare, kind: 'admin', from: signer, to, method, args }, title, warning }
}

/** The tokens of a known method, otherwise the deposit and a call of unknown effects. */
function tellCall(call: FunctionCall, parties: Parties): ToldAction[] {
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
  const token = Object.hasOwn(knownTokens, contract) ? knownTokens[contract] : undefined
  return token === undefined || amount === null ? null : nativeDisplay(amount, token)
}

function unknownCall(
  { method, args, gas, deposit }: FunctionCall,
  { signer, receiver }: Parties,
): ToldAction {
  const name = shownText(method)
  const shown = { args: shownText(args), gas: String(gas), deposit: String(deposit) }
  return {
    action: { ...bare, kind: 'call', from: signer, to: receiver, method: name, args: shown },
    title: `Call ${name}`,
    warning: `The effects of ${name} on ${receiver} are unknown.`,
  }
}

function tellKey(
  { key: keyBytes, permission }: Extract<NearAction, { type: 'addKey' }>,
  parties: Parties,
): ToldAction {
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
