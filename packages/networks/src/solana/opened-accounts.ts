import type { Instruction } from './instruction.ts'
import type { AccountHolders } from './program.ts'

/** Who owns an account that a transaction opens, of which token it is, and whether its address has no key. */
type OpenedAccount = { readonly owner: string; readonly mint: string | null; readonly isDerived: boolean }

/** Facts about accounts from the instructions so far and the next one. */
export type OpenedAccounts = AccountHolders & {
  /** Takes an instruction into account, before its effects are described. */
  note(instruction: Instruction, next: Instruction | undefined): void
}

/** The accounts of one transaction; instructions are noted in their order. */
export function openedAccounts(): OpenedAccounts {
  const opened = new Map<string, OpenedAccount>()
  let ahead: readonly [account: string, opened: OpenedAccount] | undefined
  return {
    note(instruction, next) {
      const own = openingOf(instruction)
      if (own) opened.set(...own)
      ahead = next && openingOf(next)
    },
    lamportsHolder(account) {
      const known = opened.get(account)
      if (known?.isDerived) return known.owner
      return ahead?.[0] === account ? ahead[1].owner : account
    },
    tokensHolder: (account) => opened.get(account)?.owner ?? account,
    mintOf: (account) => opened.get(account)?.mint ?? null,
  }
}

function openingOf({ known }: Instruction): [account: string, opened: OpenedAccount] | undefined {
  if (known?.row.opens === undefined) return undefined
  const [account, owner, mint = ''] = known.row.opens
  const { [account]: name = '', [owner]: holder = '', [mint]: token = null } = known.fields
  return [name, { owner: holder, mint: token, isDerived: known.fields['tokenProgram'] !== undefined }]
}
