import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Queryable } from './pool.ts'

const folder = new URL('./functions/', import.meta.url)
/** Called by defaults of columns, so they come before the tables; all others may name tables and rows. */
const beforeTables: readonly string[] = ['app_now']

/** A function of the database, with the triggers that call it. `declaration` is what callers see: name, arguments, result. */
export type SqlFunction = { name: string; declaration: string; text: string; checksum: string }

/** The functions of this build, callees before callers. Throws for a file that does not define the function of its name. */
export function readFunctions(): SqlFunction[] {
  const functions = readdirSync(folder)
    .sort()
    .map((file) => functionOf(file.replace(/\.sql$/, ''), readFileSync(new URL(file, folder), 'utf8')))
  return calleesFirst(functions)
}

/** A function from its text. Throws where that does not begin, after comments, with its declaration. */
export function functionOf(name: string, text: string): SqlFunction {
  const [declaration] = /^create or replace function \w+\([\s\S]*?(?=\s+language )/m.exec(text) ?? []
  if (declaration === undefined || !declaration.startsWith(`create or replace function ${name}(`))
    throw new Error(`functions/${name}.sql must define the function ${name}.`)
  return {
    name,
    declaration: declaration.replaceAll(/\s+/g, ' '),
    text,
    checksum: createHash('sha256').update(text).digest('hex'),
  }
}

/** PostgreSQL checks the body of an SQL function when it is created: what it calls has to exist. Throws for a circle. */
export function calleesFirst(functions: readonly SqlFunction[]): SqlFunction[] {
  const ordered = new Set<SqlFunction>()
  const place = (each: SqlFunction, callers: readonly SqlFunction[]) => {
    if (callers.includes(each)) throw new Error(`The function ${each.name} calls itself by way of others.`)
    if (ordered.has(each)) return
    const called = new Set(Array.from(each.text.matchAll(/\b(\w+)\(/g), ([, name]) => name))
    for (const other of functions)
      if (other !== each && called.has(other.name)) place(other, [...callers, each])
    ordered.add(each)
  }
  for (const each of functions) place(each, [])
  return [...ordered]
}

/** The functions whose text differs from what the database has. */
export async function changedFunctions(
  tx: Queryable,
  functions: readonly SqlFunction[],
): Promise<SqlFunction[]> {
  const rows = await tx<{ name: string; checksum: string }[]>`select name, checksum from symbolon_functions`
  const known = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  return functions.filter(({ name, checksum }) => known.get(name) !== checksum)
}

/** Splits functions into those that tables need and the rest. */
export function byTables(functions: readonly SqlFunction[]): { before: SqlFunction[]; after: SqlFunction[] } {
  return {
    before: functions.filter(({ name }) => beforeTables.includes(name)),
    after: functions.filter(({ name }) => !beforeTables.includes(name)),
  }
}

/**
 * Brings functions to their current text, in the caller's transaction. One whose declaration changed is dropped first, since
 * PostgreSQL would refuse it or keep the former beside it. Functions without a file stay: a contract migration drops them.
 */
export async function applyFunctions(tx: Queryable, functions: readonly SqlFunction[]): Promise<void> {
  for (const { name, declaration, text, checksum } of functions) {
    const [former] = await tx<{ is_kept: boolean }[]>`
      select declaration = ${declaration} as is_kept from symbolon_functions where name = ${name}`
    if (former?.is_kept === false) await tx.unsafe(`drop function if exists ${name}`)
    await tx.unsafe(text)
    await tx`insert into symbolon_functions (name, declaration, checksum) values (${name}, ${declaration}, ${checksum})
      on conflict (name) do update set declaration = excluded.declaration, checksum = excluded.checksum,
        applied_at = clock_timestamp()`
  }
}
