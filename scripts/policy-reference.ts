/**
 * Writes docs/reference/policy.md from the table of policy fields and the reasons; with `--check` it only compares, and exits 1 when the
 * page is not what they say. Run: `npm run docs:generate`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type PolicyFieldRow, policyFields } from '@symbolon/policy/fields'
import { policyReasonRows } from '@symbolon/policy/reasons'

const file = fileURLToPath(new URL('../docs/reference/policy.md', import.meta.url))

/** How the layers of each kind come together, and what a value of it is. */
const kinds: Readonly<Record<PolicyFieldRow['kind'], readonly [type: string, intersection: string]>> = {
  amount: ['decimal string', 'lowest'],
  count: ['whole number', 'lowest'],
  expiry: ['RFC 3339 time', 'earliest'],
  flag: ['`true` or `false`', 'allowed only if every layer allows it'],
  mode: ['one word', 'strictest'],
  'allow-list': ['list', 'on every list'],
  'method-list': ['list', 'on every list'],
  'deny-list': ['list', 'on any list'],
  'token-list': ['list of `{chain, token, max_per_tx?, max_total?}`', 'on every list, lowest caps'],
  'domain-list': ['list', 'on every list'],
  'asset-caps': ['list of `{asset, max}`', 'lowest of each asset'],
  'contract-list': ['list of `{chain, address, selectors?}`', 'on every list, common selectors'],
}

const rowsOf = (rows: readonly PolicyFieldRow[]) =>
  rows.map((row) => {
    const [type, intersection] = kinds[row.kind]
    const missing = row.isRequiredToMint ? `${row.missing}; required in a session` : row.missing
    return `| \`${row.name}\` | ${type} | ${row.description} | ${missing} | ${intersection} |`
  })

const table = (rows: readonly string[]) =>
  ['| Field | Value | Meaning | Missing | Layers |', '|---|---|---|---|---|', ...rows].join('\n')

/** The page of some fields and the reasons. */
export function policyPage(fields: readonly PolicyFieldRow[] = policyFields): string {
  const of = (layer: PolicyFieldRow['layers'][0]) =>
    rowsOf(fields.filter(({ layers }) => layers[0] === layer))
  return `# Policies

The fields of each layer of an agent session's policy, and the reasons for a refusal. The [guide to agents](../guides/agents.md#what-a-session-may-do) explains how
they work together. Amounts are in the smallest unit. An empty list allows nothing.

## Agents and sessions

${table(of('agent'))}

## Organizations

${table(of('organization'))}

## Reasons

A refusal is 403 \`policy_violation\`; \`details.reason\` is one of these.

| Reason | What happened | What to do |
|---|---|---|
${policyReasonRows.map(({ code, what, fix }) => `| \`${code}\` | ${what} | ${fix} |`).join('\n')}
`
}

function main(): void {
  const page = policyPage()
  if (!process.argv.includes('--check')) {
    writeFileSync(file, page)
    process.stdout.write('docs/reference/policy.md\n')
  } else if (readFileSync(file, 'utf8') !== page) {
    process.stderr.write('docs/reference/policy.md is out of date; run `npm run docs:generate`\n')
    process.exitCode = 1
  }
}

if (import.meta.main) main()
