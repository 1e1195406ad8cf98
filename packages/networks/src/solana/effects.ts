import { toHex0x } from '../codec/hex.ts'
import type { Action, Decoded } from '../effect.ts'
import type { TransactionScope } from '../network.ts'
import { ownValue } from '../own-value.ts'
import { nativeDisplay } from '../preview/amount-display.ts'
import { feeWarnings } from '../preview/fee-warnings.ts'
import { type DescribedAction, summarize } from '../preview/summarize.ts'
import { computeBudgetAddress, solanaFee } from './fee.ts'
import { type Instruction, isChanged, isLookedUp, readInstructions } from './instruction.ts'
import { knownMints } from './known-mints.ts'
import { type OpenedAccounts, openedAccounts } from './opened-accounts.ts'
import type { InstructionCall, Meaning } from './program.ts'
import type { SolanaMessage } from './transaction-message.ts'

/** The effects of a message, the fee in the worst case (0 where another account pays it) and what to be warned of. */
export function solanaEffects(
  message: SolanaMessage,
  { chain, address }: TransactionScope,
  place: number,
): Decoded {
  const instructions = readInstructions(message)
  const opened = openedAccounts()
  const described = instructions.flatMap((instruction, index) => {
    opened.note(instruction, instructions[index + 1])
    return describe(instruction, address, opened)
  })
  const fee = place === 0 ? solanaFee(message, instructions) : 0n
  const { warnings, ...decoded } = summarize(described)
  return {
    ...decoded,
    fee: { asset: chain.nativeAsset.symbol, amount: fee },
    warnings: [
      ...warnings,
      ...messageWarnings(message, instructions),
      ...feeWarnings(fee, sent(described, address), chain),
    ],
  }
}

function messageWarnings({ tables }: SolanaMessage, instructions: readonly Instruction[]): string[] {
  const warnings: string[] = []
  if (tables.length > 0) warnings.push('Accounts behind address look-up tables are not known from the bytes.')
  if (instructions[0]?.known?.row.name === 'advanceNonce') {
    warnings.push('This transaction does not expire: it stays valid until its nonce is used.')
  }
  return warnings
}

/** Lamports of the wallet that go to others; the rent of token accounts is not what a person sends. */
function sent(described: readonly DescribedAction[], wallet: string): bigint {
  return described.reduce((sum, { action: { kind, asset, amount, from, to, args } }) => {
    const isSent = kind === 'transfer' && asset === 'SOL' && from === wallet && to !== wallet
    return isSent && args?.['tokenProgram'] === undefined ? sum + (amount ?? 0n) : sum
  }, 0n)
}

function describe(instruction: Instruction, wallet: string, opened: OpenedAccounts): DescribedAction[] {
  const { program, known } = instruction
  if (program === computeBudgetAddress) return []
  if (known === undefined) return [unknownCall(instruction, wallet)]
  const read = known.row.rule(callOf(instruction, known.fields, wallet, opened))
  const meaning = isChanged(instruction, wallet)
    ? takenOver(read, known.fields['program'] ?? program, wallet)
    : read
  if (meaning === null) return []
  return [describedAction(hideLookedUp(meaning), known.row.name, known.fields, known.program.name)]
}

/** The wallet's own address becomes an account of a program: what a transfer to itself would hide. */
function takenOver(meaning: Meaning | null, program: string, wallet: string): Meaning {
  if (meaning?.kind === 'admin') return meaning
  const warning = `Account takeover: ${program} will control ${wallet}.`
  return { kind: 'admin', asset: null, amount: null, from: wallet, to: program, warning }
}

function callOf(
  { program, others }: Instruction,
  fields: Readonly<Record<string, string>>,
  wallet: string,
  opened: OpenedAccounts,
): InstructionCall {
  const arg = (name: string) => fields[name] ?? ''
  return {
    program,
    wallet,
    arg,
    amount: (name) => BigInt(arg(name)),
    controller: (name) => (others.includes(wallet) ? wallet : arg(name)),
    opened,
  }
}

/** What goes to an account behind a table, or is a token behind one, is not known. */
function hideLookedUp(meaning: Meaning): Meaning {
  const { kind, asset, to } = meaning
  const isHidden = [asset, to].some((account) => account !== null && isLookedUp(account))
  if (!isHidden || kind === 'admin') return meaning
  const warning = 'An account or token behind a look-up table is not known.'
  return { ...meaning, kind: 'unknown', title: 'Unknown recipient or token', warning }
}

function describedAction(
  { decimals, title, warning, ...effect }: Meaning,
  method: string,
  args: Readonly<Record<string, string>>,
  program: string,
): DescribedAction {
  const amountDisplay = displayOf(effect, decimals)
  const action: Action = { ...effect, amountDisplay, method, args }
  return { action, title: title ?? titleOf(action, program), ...(warning !== undefined && { warning }) }
}

function titleOf({ kind, amountDisplay, method }: Action, program: string): string {
  if (kind === 'transfer') return amountDisplay === null ? 'Transfer token' : `Send ${amountDisplay}`
  return kind === 'admin' ? `Hand over control: ${method}` : `${program}: ${method}`
}

/** With the symbol, where it is known and the decimals in the instruction are those of the token. */
function displayOf(
  { kind, asset, amount }: Omit<Meaning, 'title'>,
  decimals: string | undefined,
): string | null {
  if (amount === null) return kind === 'approval' ? 'unlimited' : null
  if (asset === 'SOL') return nativeDisplay(amount, { symbol: 'SOL', decimals: 9 })
  const token = asset === null ? undefined : ownValue(knownMints, asset)
  if (token === undefined || (decimals && decimals !== String(token.decimals))) return null
  return nativeDisplay(amount, token)
}

function unknownCall({ program, accounts, data }: Instruction, wallet: string): DescribedAction {
  const args = { accounts: accounts.join(', '), data: toHex0x(data) }
  const nothing = { asset: null, amount: null, amountDisplay: null, method: null }
  return {
    action: { ...nothing, kind: 'unknown', from: wallet, to: program, args },
    title: 'Unknown program call',
    warning: `The effects of the program ${program} are unknown.`,
  }
}
