import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '../ui/button.tsx'
import { Select, TextInput } from '../ui/field.tsx'
import { ChainOptions } from './chain-picks.tsx'
import { type ContractDraft, type TokenDraft, withNewRow } from './draft-kinds.ts'

/** The tokens of a policy, each with its own caps in its smallest unit. */
export function TokenRows({
  rows,
  onChange,
}: {
  rows: readonly TokenDraft[]
  onChange: (rows: TokenDraft[]) => void
}) {
  const set = (key: number, change: Partial<TokenDraft>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  return (
    <Rows
      add="Add a token"
      onAdd={() => onChange(withNewRow(rows, { chain: '', token: '', max_per_tx: '', max_total: '' }))}
    >
      {rows.map(({ key, chain, token, max_per_tx, max_total }, i) => (
        <Row
          key={key}
          name={`token ${i + 1}`}
          chain={chain}
          onChain={(next) => set(key, { chain: next })}
          onRemove={() => onChange(rows.filter((row) => row.key !== key))}
        >
          <TextInput
            required
            aria-label={`Address of token ${i + 1}`}
            placeholder="Token: 0x…, mint, CODE:ISSUER, denom"
            value={token}
            onChange={(event) => set(key, { token: event.target.value })}
            className="font-mono text-xs"
          />
          <span className="flex gap-2">
            <TextInput
              aria-label={`Cap per payment of token ${i + 1}, smallest unit`}
              pattern="[0-9]*"
              maxLength={78}
              inputMode="numeric"
              placeholder="per payment: no limit"
              value={max_per_tx}
              onChange={(event) => set(key, { max_per_tx: event.target.value.trim() })}
            />
            <TextInput
              aria-label={`Total cap of token ${i + 1}, smallest unit`}
              pattern="[0-9]*"
              maxLength={78}
              inputMode="numeric"
              placeholder="in all: no limit"
              value={max_total}
              onChange={(event) => set(key, { max_total: event.target.value.trim() })}
            />
          </span>
        </Row>
      ))}
    </Rows>
  )
}

/** The contracts that may be called. */
export function ContractRows({
  rows,
  onChange,
}: {
  rows: readonly ContractDraft[]
  onChange: (rows: ContractDraft[]) => void
}) {
  const set = (key: number, change: Partial<ContractDraft>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  return (
    <Rows
      add="Add a contract"
      onAdd={() => onChange(withNewRow(rows, { chain: '', address: '', selectors: '' }))}
    >
      {rows.map(({ key, chain, address, selectors }, i) => (
        <Row
          key={key}
          name={`contract ${i + 1}`}
          chain={chain}
          onChain={(next) => set(key, { chain: next })}
          onRemove={() => onChange(rows.filter((row) => row.key !== key))}
        >
          <TextInput
            required
            aria-label={`Address of contract ${i + 1}`}
            placeholder="Contract or program address"
            value={address}
            onChange={(event) => set(key, { address: event.target.value })}
            className="font-mono text-xs"
          />
          <TextInput
            aria-label={`Methods of contract ${i + 1}`}
            placeholder="every method, or selectors: 0xa694fc3a …"
            value={selectors}
            onChange={(event) => set(key, { selectors: event.target.value })}
            className="font-mono text-xs"
          />
        </Row>
      ))}
    </Rows>
  )
}

function Rows({ add, onAdd, children }: { add: string; onAdd: () => void; children: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-2">
      <ul className="flex w-full flex-col gap-2">{children}</ul>
      <Button icon={<Plus className="size-4" aria-hidden="true" />} onClick={onAdd}>
        {add}
      </Button>
    </div>
  )
}

function Row({
  name,
  chain,
  onChain,
  onRemove,
  children,
}: {
  name: string
  chain: string
  onChain: (chain: string) => void
  onRemove: () => void
  children: ReactNode
}) {
  return (
    <li className="flex gap-1 rounded-lg border border-line p-2 pr-1">
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <Select
          required
          aria-label={`Chain of ${name}`}
          value={chain}
          onChange={(event) => onChain(event.target.value)}
        >
          <ChainOptions value={chain} />
        </Select>
        {children}
      </div>
      <IconButton label={`Remove ${name}`} onClick={onRemove}>
        <X />
      </IconButton>
    </li>
  )
}
