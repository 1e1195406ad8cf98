import type { Sql } from '@symbolon/server/pool'
import type { VolumeCase } from './cases.ts'
import {
  type Explained,
  explainSession,
  type PlanMode,
  prepareExplained,
  statementCapture,
} from './explain.ts'

/** What one page cost: medians in milliseconds. */
export type MeasuredCase = Omit<VolumeCase, 'run'> & {
  executionMs: number
  planningMs: number
  buffers: number
  rows: number
  scanned: string[]
}

/** Tables that grow: nothing may read one of them from end to end for a page. */
const growing = new Set(['wallets', 'wallet_addresses', 'identities', 'audit_events'])
const pageMsMax = 1
const ratioMax = 2

/** Runs every case `runs` times, in turns so that noise meets all of them alike. */
export async function measureCases(
  sql: Sql,
  databaseUrl: string,
  cases: VolumeCase[],
  runs: number,
  mode: PlanMode = 'auto',
): Promise<MeasuredCase[]> {
  const session = await explainSession(sql, mode)
  const sent = statementCapture(databaseUrl)
  try {
    const prepared: { one: VolumeCase; explain: () => Promise<Explained>; samples: Explained[] }[] = []
    for (const [i, one] of cases.entries()) {
      const explain = await prepareExplained(session, `volume_${i}`, await sent.capture(one.run), mode)
      prepared.push({ one, explain, samples: [] })
    }
    for (let run = 0; run < runs; run++) {
      for (const { explain, samples } of prepared) samples.push(await explain())
    }
    return prepared.map(({ one: { run: _, ...rest }, samples }) => ({
      ...rest,
      executionMs: median(samples.map(({ executionMs }) => executionMs)),
      planningMs: median(samples.map(({ planningMs }) => planningMs)),
      buffers: Math.max(...samples.map(({ buffers }) => buffers)),
      rows: samples[0]?.rows ?? 0,
      scanned: [...new Set(samples.flatMap(({ scanned }) => scanned))],
    }))
  } finally {
    await session.unsafe('deallocate all')
    session.release()
    await sent.end()
  }
}

/** One line per filter and limit for the table, and every page that is scanned for, slow, or slower for being deep. */
export function verdict(measured: MeasuredCase[]): { rows: (string | number)[][]; problems: string[] } {
  const problems = scanProblems(measured)
  const groups = Map.groupBy(measured, ({ list, filter, limit }) => `${list}, ${filter}, ${limit}`)
  const rows = [...groups].map(([name, pages]) => {
    const times = pages.map(({ executionMs }) => executionMs)
    const worst = Math.max(...times)
    const ratio = worst / (times[0] ?? Number.NaN)
    if (worst >= pageMsMax) problems.push(`${name}: ${worst.toFixed(3)} ms`)
    if (ratio > ratioMax) problems.push(`${name}: ${ratio.toFixed(2)} times the first page`)
    return [
      name,
      ...times,
      ratio,
      median(pages.map(({ planningMs }) => planningMs)),
      Math.max(...pages.map(({ buffers }) => buffers)),
    ]
  })
  return { rows, problems }
}

/** Pages for which a growing table was read from end to end. */
export const scanProblems = (measured: MeasuredCase[]): string[] =>
  measured.flatMap(({ list, filter, depth, limit, scanned }) =>
    scanned
      .filter((table) => growing.has(table))
      .map((table) => `${list}, ${filter}, ${limit} at ${depth}: reads all of ${table}`),
  )

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}
