import { openPool, type Reserved, type Sql } from '@symbolon/server/pool'

/** A statement as the store sends it. */
export type Statement = { text: string; parameters: unknown[] }

/** What the database did for one statement. Times in milliseconds; `buffers` counts pages of 8 KiB, found or read. */
export type Explained = {
  planningMs: number
  executionMs: number
  buffers: number
  rows: number
  /** Tables that were read from end to end. */
  scanned: string[]
}

/** Which plan a prepared statement runs with: the database's choice after several runs, or one kind of it. */
export type PlanMode = 'auto' | 'force_generic_plan' | 'force_custom_plan'

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] } & Record<string, unknown>
type Document = { Plan: Plan; 'Planning Time': number; 'Execution Time': number }

// After five runs of its own plan the database considers the one plan for all parameters.
const runsBeforeChoice = 6

/** Runs store functions on a connection of its own and answers the last statement each of them sent. */
export function statementCapture(databaseUrl: string) {
  let last: Statement | undefined
  const sql = openPool(databaseUrl, {
    connectionsMax: 1,
    isPatient: true,
    onStatement: ({ text, values }) => {
      last = { text, parameters: values }
    },
  })
  return {
    async capture(run: (sql: Sql) => Promise<unknown>): Promise<Statement> {
      last = undefined
      await run(sql)
      if (last === undefined) throw new Error('The store sent nothing.')
      return last
    },
    end: () => sql.end(),
  }
}

/** Prepares a statement in this session as the service's driver does; the answer runs it under EXPLAIN. */
export async function prepareExplained(sql: Reserved, name: string, statement: Statement, mode: PlanMode) {
  await sql.unsafe(`prepare ${name} as ${statement.text}`)
  const call = `${name}${statement.parameters.length === 0 ? '' : `(${statement.parameters.map(literal).join(', ')})`}`
  for (let i = 0; mode === 'auto' && i < runsBeforeChoice; i++) await sql.unsafe(`execute ${call}`)
  return async (): Promise<Explained> => {
    const rows = await sql.unsafe<{ 'QUERY PLAN': Document[] }[]>(
      `explain (analyze, buffers, timing off, summary, format json) execute ${call}`,
    )
    const document = rows[0]?.['QUERY PLAN'][0]
    if (document === undefined) throw new Error('The database explained nothing.')
    const { Plan: plan } = document
    return {
      planningMs: document['Planning Time'],
      executionMs: document['Execution Time'],
      buffers: Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']),
      rows: Number(plan['Actual Rows']),
      scanned: nodes(plan)
        .filter((node) => node['Node Type'] === 'Seq Scan')
        .map((node) => node['Relation Name'] ?? ''),
    }
  }
}

/** A session with the service's planner settings, in the given plan mode; release it when done. */
export async function explainSession(sql: Sql, mode: PlanMode): Promise<Reserved> {
  const session = await sql.reserve()
  await session.unsafe(`set plan_cache_mode = ${mode}`)
  return session
}

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Error(`No literal for a parameter of type ${typeof value}.`)
}
