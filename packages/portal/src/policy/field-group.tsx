import type { FieldsDraft, PolicyField } from './draft-kinds.ts'
import { FieldEditor } from './field-editor.tsx'
import type { Unit } from './units.ts'

/** The editors of a group's fields: those with a choice first, small ones side by side. */
export function FieldGroup({
  fields,
  group,
  draft,
  unit,
  issueOf,
  set,
}: {
  fields: readonly PolicyField[]
  group: PolicyField['group']
  draft: Partial<FieldsDraft>
  unit?: Unit | undefined
  issueOf: (field: string) => string | undefined
  set: (change: Partial<FieldsDraft>) => void
}) {
  const ofGroup = fields.filter((field) => field.group === group)
  const ordered = [...ofGroup.filter(hasChoice), ...ofGroup.filter((field) => !hasChoice(field))]
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {ordered.map((field) => (
        <div
          key={field.name}
          className={`flex min-w-0 flex-col gap-4 ${isSmall(field) ? '' : 'sm:col-span-2'}`}
        >
          <FieldEditor field={field} draft={draft} unit={unit} error={issueOf(field.name)} set={set} />
        </div>
      ))}
    </div>
  )
}

const hasChoice = (field: PolicyField): boolean => 'choice' in field

/** Amounts of rules have no choice of units, because they apply to every coin. */
const isSmall = ({ kind, layers }: PolicyField): boolean =>
  kind === 'count' || kind === 'expiry' || (kind === 'amount' && layers[0] === 'organization')
