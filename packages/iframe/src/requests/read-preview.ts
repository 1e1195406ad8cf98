import type { JsonObject } from '../protocol/messages.ts'
import { readFields, readOneOf, readText, refused } from './read-fields.ts'
import { amountForm } from './text-forms.ts'

const textMax = 8_192
const kinds = ['transfer', 'approval', 'call', 'admin', 'unknown'] as const

const text = (value: unknown, name: string) => readText(value, name, undefined, textMax)
const amount = (value: unknown, name: string) => readText(value, name, amountForm)

/** Whether each field that is there is as its check wants it; null only where `nullable`. */
function check(
  fields: JsonObject,
  checks: Readonly<Record<string, (value: unknown, name: string) => unknown>>,
  nullable: readonly string[],
): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value === null && nullable.includes(name)) continue
    checks[name]?.(value, name)
  }
}

const actionNames = ['kind', 'to', 'asset', 'amount', 'amount_display', 'method', 'args']
const previewNames = ['title', 'chain', 'from', 'actions', 'fee', 'warnings', 'expires_at']

/** A preview that the page sends along to have it echoed: any part of one. It is never shown. */
export function readPreview(value: unknown): JsonObject {
  const preview = readFields(value, [], previewNames)
  const checks = { title: text, chain: text, from: text, actions, fee, warnings, expires_at: text }
  check(preview, checks, ['chain', 'from', 'fee', 'expires_at'])
  return preview
}

function actions(value: unknown): void {
  for (const action of list(value, 'actions', 256)) {
    const checks = {
      kind: (kind: unknown, name: string) => readOneOf(kind, name, kinds),
      to: text,
      asset: text,
      amount,
      amount_display: text,
      method: text,
    }
    check(readFields(action, [], actionNames), checks, actionNames.slice(1))
  }
}

function fee(value: unknown): void {
  const fields = readFields(value, ['asset', 'amount'])
  text(fields['asset'], 'asset')
  amount(fields['amount'], 'amount')
}

function warnings(value: unknown): void {
  for (const warning of list(value, 'warnings', 64)) text(warning, 'warnings')
}

function list(value: unknown, name: string, itemsMax: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > itemsMax) throw refused(`\`${name}\` is not valid.`)
  return value
}
