import type { Effect } from '../effect.ts'

/** Who holds what goes to an account, as far as the bytes of a transaction say. */
export type AccountHolders = {
  /**
   * Whose lamports that go to an account are. Only associated token accounts are known by their opening: the holder of
   * the key of another one could have taken them out before, or closed and opened it again. What creates an account is
   * known by the instruction behind it, since nothing comes between.
   */
  lamportsHolder(account: string): string
  /** Whose tokens that go to an account are: it must be open, so that its latest opening counts. */
  tokensHolder(account: string): string
  /** The token of an account, `null` where the bytes do not name it. */
  mintOf(account: string): string | null
}

/** What a rule sees of an instruction whose layout fits. */
export type InstructionCall = {
  /** The program that is called. */
  readonly program: string
  /** The wallet's address. */
  readonly wallet: string
  /** An argument or account by name; empty where an option is absent. */
  arg(name: string): string
  /** A number among the arguments. */
  amount(name: string): bigint
  /** Who decides as the named authority: the wallet also where it signs as one of a multisig's. */
  controller(name: string): string
  /** What the transaction says about the owners and tokens of accounts. */
  readonly opened: AccountHolders
}

/** An effect, the decimals that the program itself enforces, what to call it and what to warn of. */
export type Meaning = Effect & { decimals?: string; title?: string; warning?: string }

/** What an instruction does; `null`: nothing that the wallet could lose by. */
type Rule = (call: InstructionCall) => Meaning | null

/**
 * One instruction: name, data after the number (`instructionFields`), names of its first accounts, what it does.
 * `opens` names the account that it gives an owner, the owner and, of a token account, its mint.
 */
export type InstructionRow<name extends string = string> = {
  readonly name: name
  readonly data: string
  readonly accounts: string
  readonly rule: Rule
  readonly opens?: readonly [account: string, owner: string, mint?: string]
}

/** A program: its name, how many bytes number its instructions, and those that are known, by number; a list holds variants of one. */
export type Program<name extends string = string> = {
  readonly name: string
  readonly numberBytes: 0 | 1 | 4
  readonly rows: Readonly<Record<number, InstructionRow<name> | readonly InstructionRow<name>[]>>
}

/** The names of a program's instructions. */
export type NameOf<program> = program extends Program<infer name> ? name : never

/** One row of a program's table. */
export function row<const name extends string>(
  name: name,
  data: string,
  accounts: string,
  rule: Rule = called,
  opens?: InstructionRow['opens'],
): InstructionRow<name> {
  return { name, data, accounts, rule, ...(opens && { opens }) }
}

/** An instruction that is known and moves nothing by itself. */
export function called({ program, wallet }: InstructionCall): Meaning {
  return { kind: 'call', asset: null, amount: null, from: wallet, to: program }
}

/** An instruction that is part of others: shown by their effects. */
export const nothing = (): null => null

/** Lamports of `from` that go to the named account, or to who owns it; `amount` is null where the bytes do not say. */
export function paid(call: InstructionCall, from: string, to: string, amount: bigint | null): Meaning {
  return { kind: 'transfer', asset: 'SOL', amount, from, to: call.opened.lamportsHolder(call.arg(to)) }
}

/** All lamports of an account, of an unknown amount: nothing leaves where they go to who decides. */
export function emptied(call: InstructionCall, authority: string, to: string): Meaning {
  const from = call.controller(authority)
  const title = 'Empty an account'
  if (call.arg(to) === from) return { ...paid(call, from, to, 0n), title }
  return { ...paid(call, from, to, null), title, warning: `All SOL of the account goes to ${call.arg(to)}.` }
}

/** Control over something changes to the named one, or to nobody. */
export function handedOver(of: string, to: string, authority: string) {
  return (call: InstructionCall): Meaning => {
    const heir = call.arg(to) || 'nobody'
    const warning = `Account takeover: ${heir} will control ${call.arg(of)}.`
    return {
      kind: 'admin',
      asset: null,
      amount: null,
      from: call.controller(authority),
      to: call.arg(to) || null,
      warning,
    }
  }
}
