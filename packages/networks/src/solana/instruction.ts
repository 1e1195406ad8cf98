import { ownValue } from '../own-value.ts'
import { addressOf } from './address-of.ts'
import { type InstructionFields, instructionFields } from './instruction-fields.ts'
import type { InstructionRow, Program } from './program.ts'
import { type InstructionName, programs } from './programs.ts'
import { token2022Address, tokenAddress } from './token-program.ts'
import type { CompiledInstruction, SolanaMessage } from './transaction-message.ts'

/**
 * An instruction with its addresses. `known` is its row and fields where program and layout are known, `others` the
 * accounts behind the named ones (signers of a multisig).
 */
export type Instruction = {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Uint8Array
  readonly known?: {
    readonly program: Program
    readonly row: InstructionRow<InstructionName>
    readonly fields: InstructionFields
  }
  readonly others: readonly string[]
}

/** The instructions of a message; an account behind a look-up table is called by its place in the table. */
export function readInstructions(message: SolanaMessage): Instruction[] {
  const addresses = addressesOf(message)
  return message.instructions.map((compiled) => readInstruction(compiled, addresses))
}

/** Accounts that only pay, decide or get; the first other one is what an instruction creates, gives away, sets up or closes. */
const bystanders = ['from', 'payer', 'base', 'to']

/**
 * Whether the wallet's own address is what an instruction changes: from then on it is an account of a program, which decides over all that it
 * holds.
 */
export function isChanged({ known }: Instruction, wallet: string): boolean {
  const changed = known?.row.accounts.split(' ').find((name) => !bystanders.includes(name))
  return changed !== undefined && known?.fields[changed] === wallet
}

/** Whether an account is known by its place in a look-up table only. */
export function isLookedUp(account: string): boolean {
  return account.includes(' ')
}

function readInstruction(compiled: CompiledInstruction, addresses: readonly string[]): Instruction {
  const program = addresses[compiled.program] ?? ''
  const accounts = Array.from(compiled.accounts, (place) => addresses[place] ?? '')
  const bare = { program, accounts, data: compiled.data, others: [] }
  const table = ownValue(programs, program)
  if (table === undefined) return bare
  const rows = table.rows[numberOf(compiled.data, table.numberBytes)] ?? []
  for (const row of 'name' in rows ? [rows] : rows) {
    const fields = instructionFields(row.data, compiled.data.subarray(table.numberBytes))
    const named = fields && nameAccounts(row.accounts, accounts)
    if (named === undefined || !isKnownToken(named.accounts['tokenProgram'])) continue
    return {
      ...bare,
      known: { program: table, row, fields: { ...named.accounts, ...fields } },
      others: named.others,
    }
  }
  return bare
}

/** The number of an instruction; no data at all is number 0. */
function numberOf(data: Uint8Array, bytes: Program['numberBytes']): number {
  if (data.length < bytes) return data.length === 0 ? 0 : -1
  let number = 0
  for (let index = 0; index < bytes; index++) number += (data[index] ?? 0) * 2 ** (8 * index)
  return number
}

/** Whoever is named as a token program must be one: the associated token program calls any that it is given. */
function isKnownToken(program: string | undefined): boolean {
  return program === undefined || program === tokenAddress || program === token2022Address
}

/** Sysvars (clock, rent, …) and the account that held the settings of stakes: older callers pass them. */
const sysvar = /^Sysvar|^StakeConfig1{32}$/

/** Accounts by the names of `spec`: `~` skips sysvars, a name with `?` may miss; `undefined` when one is not there. */
function nameAccounts(
  spec: string,
  accounts: readonly string[],
): { accounts: Record<string, string>; others: readonly string[] } | undefined {
  const named: Record<string, string> = {}
  let place = 0
  for (const name of spec === '' ? [] : spec.split(' ')) {
    const account = accounts[place]
    if (name === '~') {
      while (sysvar.test(accounts[place] ?? '')) place++
    } else if (account !== undefined) {
      named[name.replace('?', '')] = account
      place++
    } else if (!name.endsWith('?')) {
      return undefined
    }
  }
  return { accounts: named, others: accounts.slice(place) }
}

/** Named accounts, then what the tables load: all that are writable, then all that are read (docs: versioned messages). */
function addressesOf({ keys, tables }: SolanaMessage): string[] {
  const named = keys.map(addressOf)
  const entries = (places: 'writable' | 'readonly') =>
    tables.flatMap((lookup) =>
      Array.from(lookup[places], (place) => `entry ${place} of table ${addressOf(lookup.table)}`),
    )
  return tables.length === 0 ? named : [...named, ...entries('writable'), ...entries('readonly')]
}
