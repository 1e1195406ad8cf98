import { ChoiceCards } from '../ui/choice-cards.tsx'
import { TextArea, TextAreaField, TextField } from '../ui/field.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'
import { AmountInput } from './amount-input.tsx'
import { ChainPicks } from './chain-picks.tsx'
import { type FieldsDraft, type PolicyField, wordsOf } from './draft-kinds.ts'
import { lifetimeText } from './lifetime-text.ts'
import { ListPart } from './list-part.tsx'
import { ContractRows, TokenRows } from './token-rows.tsx'
import type { Unit } from './units.ts'

/** The props of a field's editor: `error` is the API's message about it, `unit` the coin that amounts may be typed in. */
export type EditorProps<field extends PolicyField = PolicyField> = {
  field: field
  draft: Partial<FieldsDraft>
  unit: Unit | undefined
  error: string | undefined
  set: (change: Partial<FieldsDraft>) => void
}

type Of<kind extends PolicyField['kind']> = EditorProps<Extract<PolicyField, { kind: kind }>>

/** Edits one field with the editor of its kind. */
export function FieldEditor({ field, ...rest }: EditorProps) {
  switch (field.kind) {
    case 'amount':
      return 'choice' in field ? <ChosenAmount field={field} {...rest} /> : <Amount field={field} {...rest} />
    case 'count':
      return <Count field={field} {...rest} />
    case 'expiry':
      return <Expiry field={field} {...rest} />
    case 'flag':
      return <Flag field={field} {...rest} />
    case 'mode':
      return <Mode field={field} {...rest} />
    case 'method-list':
      return <Methods field={field} {...rest} />
    case 'deny-list':
      return field.items === 'chain' ? (
        <DeniedChains field={field} {...rest} />
      ) : (
        <Lines field={field} placeholder="0x…" {...rest} />
      )
    case 'asset-caps':
      return <Lines field={field} placeholder="ETH 100000000000000000" {...rest} />
    default:
      return <List field={field} {...rest} />
  }
}

function Amount({ field: { name, label, help }, draft, unit, error, set }: Of<'amount'>) {
  return (
    <AmountInput
      label={label}
      hint={help}
      value={draft[name] ?? ''}
      unit={unit}
      error={error}
      onChange={(value) => set({ [name]: value })}
    />
  )
}

function ChosenAmount({
  field: { name, label, help, choice },
  draft,
  unit,
  error,
  set,
}: EditorProps<Extract<PolicyField, { kind: 'amount'; choice: object }>>) {
  const value = draft[name]
  return (
    <ListPart
      title={label}
      open={choice.open}
      closed={choice.closed}
      isListed={value !== undefined}
      about={help}
      warning={value === undefined ? choice.openWarning : undefined}
      onChange={(isListed) => set({ [name]: isListed ? '' : undefined })}
    >
      <AmountInput
        label={label}
        hint=""
        isRequired
        value={value ?? ''}
        unit={unit}
        error={error}
        onChange={(next) => set({ [name]: next })}
      />
    </ListPart>
  )
}

function Count({ field, draft, error, set }: Of<'count'>) {
  const { name, label, help, min, max } = field
  const text = draft[name] ?? ''
  return (
    <TextField
      label={label}
      hint={'unit' in field ? lifetimeText(text, help) : help}
      error={error}
      type="number"
      min={min}
      max={max}
      step={1}
      placeholder="No limit"
      value={text}
      onText={(value) => set({ [name]: value })}
    />
  )
}

function Expiry({ field: { name, label, help }, draft, error, set }: Of<'expiry'>) {
  const { text = '', before } = draft[name] ?? {}
  return (
    <TextField
      label={label}
      hint={help}
      error={error}
      type="datetime-local"
      value={text}
      onText={(value) => set({ [name]: { text: value, before } })}
    />
  )
}

function Flag({ field: { name, label, help }, draft, set }: Of<'flag'>) {
  return (
    <SwitchRow
      title={label}
      text={help}
      isOn={draft[name] ?? false}
      onChange={(isOn) => set({ [name]: isOn })}
    />
  )
}

function Mode({ field, draft, set }: Of<'mode'>) {
  const { name, label, words } = field
  const choices = (Object.keys(words) as (keyof typeof words)[]).map((value) => ({ value, ...words[value] }))
  return (
    <ChoiceCards
      legend={label}
      choices={choices}
      value={draft[name] ?? field.default}
      onChange={(value) => set({ [name]: value })}
    />
  )
}

function Methods({ field: { name, words }, draft, set }: Of<'method-list'>) {
  const ticked = draft[name] ?? []
  return (Object.keys(words) as (keyof typeof words)[]).map((word) => (
    <SwitchRow
      key={word}
      {...words[word]}
      isOn={ticked.includes(word)}
      onChange={(isOn) => set({ [name]: isOn ? [...ticked, word] : ticked.filter((one) => one !== word) })}
    />
  ))
}

function DeniedChains({
  field: { name, label, help },
  draft,
  error,
  set,
}: EditorProps<Extract<PolicyField, { kind: 'deny-list'; items: 'chain' }>>) {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm font-medium">{label}</p>
      <ChainPicks legend={label} value={draft[name] ?? []} onChange={(value) => set({ [name]: value })} />
      <p className={`text-xs ${error === undefined ? 'text-muted' : 'text-bad'}`}>{error ?? help}</p>
    </div>
  )
}

function Lines({
  field: { name, label, help },
  draft,
  error,
  set,
  placeholder,
}: EditorProps<Extract<PolicyField, { kind: 'asset-caps' } | { kind: 'deny-list'; items: 'account' }>> & {
  placeholder: string
}) {
  return (
    <TextAreaField
      label={label}
      hint={help}
      error={error}
      rows={3}
      value={draft[name] ?? ''}
      onText={(value) => set({ [name]: value })}
      placeholder={placeholder}
      className="font-mono text-xs"
    />
  )
}

type ListProps = Of<'allow-list' | 'token-list' | 'contract-list' | 'domain-list'>

function List(props: ListProps) {
  const { field, draft, error, set } = props
  const { name, label, help, choice } = field
  const value = draft[name]
  const isEmpty = value !== undefined && (typeof value === 'string' ? wordsOf(value) : value).length === 0
  const isText = field.kind === 'domain-list' || ('items' in field && field.items === 'account')
  const empty = isText ? '' : []
  return (
    <ListPart
      title={label}
      open={choice.open}
      closed={choice.closed}
      isListed={value !== undefined}
      error={error}
      about={value === undefined && 'openHelp' in choice ? choice.openHelp : help}
      warning={warningOf(choice, value === undefined, isEmpty)}
      onChange={(isListed) => set({ [name]: isListed ? empty : undefined })}
    >
      <ListItems {...props} />
    </ListPart>
  )
}

function warningOf(
  choice: { open: string; openWarning?: string; emptyWarning?: string },
  isOpen: boolean,
  isEmpty: boolean,
): string | undefined {
  if (isOpen) return choice.openWarning
  return isEmpty ? choice.emptyWarning : undefined
}

function ListItems({ field, draft, set }: ListProps) {
  switch (field.kind) {
    case 'token-list':
      return <TokenRows rows={draft[field.name] ?? []} onChange={(rows) => set({ [field.name]: rows })} />
    case 'contract-list':
      return <ContractRows rows={draft[field.name] ?? []} onChange={(rows) => set({ [field.name]: rows })} />
    case 'allow-list':
      return field.items === 'chain' ? (
        <ChainPicks
          legend={field.label}
          value={draft[field.name] ?? []}
          onChange={(value) => set({ [field.name]: value })}
        />
      ) : (
        <Texts field={field} draft={draft} set={set} placeholder="One address per line" />
      )
    case 'domain-list':
      return <Texts field={field} draft={draft} set={set} placeholder="app.example.com" />
  }
}

function Texts({
  field: { name, label },
  draft,
  set,
  placeholder,
}: Pick<
  EditorProps<Extract<PolicyField, { kind: 'domain-list' } | { kind: 'allow-list'; items: 'account' }>>,
  'field' | 'draft' | 'set'
> & { placeholder: string }) {
  return (
    <TextArea
      rows={3}
      aria-label={`Allowed ${label.toLowerCase()}`}
      placeholder={placeholder}
      value={draft[name] ?? ''}
      onText={(value) => set({ [name]: value })}
      className="font-mono text-xs"
    />
  )
}
