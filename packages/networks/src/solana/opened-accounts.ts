import type { Instruction } from './instruction.ts'

/** Who owns an account that a transaction opens, of which token it is, and whether its address has no key. */
type OpenedAccount = { readonly owner: string; readonly mint: string | null; readonly isDerived: boolean }

/** What the instructions so far, and the one that follows at once, say about accounts. */
export type OpenedAccounts = {
  /** Takes an instruction into account, before what it does is told. */
  note(instruction: Instruction, next: Instruction | undefined): void
  /**
   * Whose lamports that go to an account are. Only associated token accounts are told by their opening: the holder of
   * the key of another one could have taken them out before, or closed and opened it again. What creates an account is
   * told by the instruction behind it, since nothing comes between.
   */
  lamportsHolder(account: string): string
  /** Whose tokens that go to an account are: it must be open, so that its latest opening counts. */
  tokensHolder(account: string): string
  /** The token of an account, `null` where the bytes do not tell. */
  mintOf(account: string): string | null
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
