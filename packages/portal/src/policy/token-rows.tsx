import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '../ui/button.tsx'
import { Select, TextInput } from '../ui/field.tsx'
import { useChainOptions } from './chain-picks.tsx'
import { type ContractDraft, type TokenDraft, withNewRow } from './draft-kinds.ts'
import { methodsHint } from './methods-hint.ts'
import { useChains } from './use-chains.ts'

/** The tokens of a policy, each with its own caps in its smallest unit. */
export function TokenRows(props: RowsProps<TokenDraft>) {
  return (
    <ChainRows {...props} noun="token" blank={{ chain: '', token: '', max_per_tx: '', max_total: '' }}>
      {({ token, max_per_tx, max_total }, name, set) => (
        <>
          <TextInput
            required
            aria-label={`Address of ${name}`}
            placeholder="0x…, mint, CODE:ISSUER or denom"
            value={token}
            onText={(text) => set({ token: text })}
            className="font-mono text-xs"
          />
          <span className="flex gap-2">
            <TokenCap
              label={`Limit per transaction of ${name}, in the smallest unit`}
              placeholder="Per transaction: no limit"
              value={max_per_tx}
              onText={(text) => set({ max_per_tx: text.trim() })}
            />
            <TokenCap
              label={`Total limit of ${name}, in the smallest unit`}
              placeholder="Total: no limit"
              value={max_total}
              onText={(text) => set({ max_total: text.trim() })}
            />
          </span>
        </>
      )}
    </ChainRows>
  )
}

/** The contracts that may be called. */
export function ContractRows(props: RowsProps<ContractDraft>) {
  const chains = useChains()
  return (
    <ChainRows {...props} noun="contract" blank={{ chain: '', address: '', selectors: '' }}>
      {({ chain, address, selectors }, name, set) => (
        <>
          <TextInput
            required
            aria-label={`Address of ${name}`}
            placeholder="Contract or program address"
            value={address}
            onText={(text) => set({ address: text })}
            className="font-mono text-xs"
          />
          <TextInput
            aria-label={`Methods of ${name}`}
            placeholder={methodsHint(chains.find(({ handle }) => handle === chain)?.network)}
            value={selectors}
            onText={(text) => set({ selectors: text })}
            className="font-mono text-xs"
          />
        </>
      )}
    </ChainRows>
  )
}

type RowsProps<row> = { rows: readonly row[]; onChange: (rows: row[]) => void }

function TokenCap({ label, ...rest }: { label: string } & Parameters<typeof TextInput>[0]) {
  return <TextInput {...rest} aria-label={label} pattern="[0-9]*" maxLength={78} inputMode="numeric" />
}

/** Rows with a chain each; `children` is the rest of a row, `blank` a new one. */
function ChainRows<row extends { key: number; chain: string }>({
  rows,
  noun,
  blank,
  onChange,
  children,
}: RowsProps<row> & {
  noun: string
  blank: Omit<row, 'key'>
  children: (row: row, name: string, set: (change: Partial<row>) => void) => ReactNode
}) {
  const set = (key: number, change: Partial<row>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  return (
    <div className="flex flex-col items-start gap-2">
      <ul className="flex w-full flex-col gap-2">
        {rows.map((row, i) => (
          <Row
            key={row.key}
            name={`${noun} ${i + 1}`}
            chain={row.chain}
            onChain={(chain) => set(row.key, { chain } as Partial<row>)}
            onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
          >
            {children(row, `${noun} ${i + 1}`, (change) => set(row.key, change))}
          </Row>
        ))}
      </ul>
      <Button icon={Plus} onClick={() => onChange(withNewRow(rows, blank))}>
        Add {noun}
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
          onText={onChain}
          options={useChainOptions(chain)}
        />
        {children}
      </div>
      <IconButton label={`Remove ${name}`} icon={X} onClick={onRemove} />
    </li>
  )
}
