import { bool, embedded, list, protoSchema, text, u32, u64 } from '../codec/protobuf/proto-type.ts'
import { shownText } from '../preview/shown-text.ts'
import { checkedAccount, moduleAddress } from './address.ts'
import { coinSchema, type RawCoin } from './coins.ts'
import { type Args, called, type MessageMethod, type MessageScope, moved } from './described.ts'
import { anySchema } from './google-types.ts'
import { type MessageRow, row } from './message-row.ts'

const coins = list(embedded(coinSchema))
const weightedOption = protoSchema({ option: u32, weight: text })
const options = ['unspecified', 'yes', 'abstain', 'no', 'no with veto']

/** Messages of both versions of cosmos.gov, whose proposals carry texts or messages of the chain itself. */
export const governanceMessages: readonly MessageRow[] = ['v1beta1', 'v1']
  .flatMap((version) => {
    const isLatest = version === 'v1'
    const typeUrl = `cosmos.gov.${version}.`
    const aminoName = isLatest ? 'cosmos-sdk/v1/' : 'cosmos-sdk/'
    const metadata = isLatest ? { metadata: text } : {}
    return [
      row(
        `${typeUrl}MsgVote`,
        `${aminoName}MsgVote`,
        { proposal_id: u64, voter: text, option: u32, ...metadata },
        'voter',
        ({ proposal_id, voter, option }, scope) => {
          const vote = options[Number(option)] ?? String(option)
          const title = `Vote ${vote} on proposal ${proposal_id}`
          return called(parties('vote', voter, scope), title, { proposal: String(proposal_id), vote })
        },
      ),
      row(
        `${typeUrl}MsgVoteWeighted`,
        null,
        { proposal_id: u64, voter: text, options: list(embedded(weightedOption)), ...metadata },
        'voter',
        ({ proposal_id, voter, ...given }, scope) => {
          const each = given.options.map(
            ({ option, weight }) => `${options[Number(option)] ?? option}: ${shownText(weight)}`,
          )
          const args = { proposal: String(proposal_id), vote: each.join(', ') }
          return called(parties('vote', voter, scope), `Vote on proposal ${proposal_id}`, args)
        },
      ),
      row(
        `${typeUrl}MsgDeposit`,
        `${aminoName}MsgDeposit`,
        { proposal_id: u64, depositor: text, amount: coins },
        'depositor',
        ({ proposal_id, depositor, amount }, scope) =>
          deposited('deposit', depositor, amount, { proposal: String(proposal_id) }, scope),
      ),
    ]
  })
  .concat([
    row(
      'cosmos.gov.v1beta1.MsgSubmitProposal',
      null,
      { content: embedded(anySchema), initial_deposit: coins, proposer: text },
      'proposer',
      ({ content, initial_deposit, proposer }, scope) => {
        const args = { content: shownText(content?.type_url ?? '') }
        return deposited('submitProposal', proposer, initial_deposit, args, scope)
      },
    ),
    row(
      'cosmos.gov.v1.MsgSubmitProposal',
      null,
      {
        messages: list(embedded(anySchema)),
        initial_deposit: coins,
        proposer: text,
        metadata: text,
        title: text,
        summary: text,
        expedited: bool,
      },
      'proposer',
      ({ messages, initial_deposit, proposer, title }, scope) => {
        const content = messages.map(({ type_url }) => shownText(type_url)).join(', ')
        return deposited(
          'submitProposal',
          proposer,
          initial_deposit,
          { title: shownText(title), content },
          scope,
        )
      },
    ),
    row(
      'cosmos.gov.v1.MsgCancelProposal',
      null,
      { proposal_id: u64, proposer: text },
      'proposer',
      ({ proposal_id, proposer }, scope) =>
        called(parties('cancelProposal', proposer, scope), `Cancel proposal ${proposal_id}`),
    ),
  ])

function parties(method: MessageMethod, account: string, { prefix }: MessageScope) {
  return { from: checkedAccount(account, prefix), to: moduleAddress(prefix, 'gov'), method }
}

/** A deposit; a proposal without one is a call. */
function deposited(
  method: MessageMethod,
  account: string,
  amount: readonly RawCoin[],
  args: Args,
  scope: MessageScope,
) {
  return moved(scope, parties(method, account, scope), amount, args, 'Deposit')
}
