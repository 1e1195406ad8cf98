import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'

const folder = new URL('../results/', import.meta.url)

type Cell = string | number

/** Prints an aligned table; numbers with three significant digits. */
export function printTable(title: string, head: string[], rows: Cell[][]): void {
  const text = (cell: Cell) => (typeof cell === 'number' ? String(Number(cell.toPrecision(3))) : cell)
  const lines = [head, ...rows.map((row) => row.map(text))]
  const widths = head.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)))
  const aligned = lines.map((line) =>
    line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
  )
  process.stdout.write(`\n${title}\n${aligned.map((line) => `  ${line}`).join('\n')}\n`)
}

/** Writes `bench/results/<name>.json` with what was measured and on what. */
export function writeResults(name: string, measured: object): void {
  mkdirSync(folder, { recursive: true })
  const machine = {
    cores: cpus().length,
    cpu: cpus()[0]?.model,
    node: process.version,
    loadBefore: loadavg()[2],
  }
  writeFileSync(
    new URL(`${name}.json`, folder),
    `${JSON.stringify({ measuredAt: new Date().toISOString(), machine, ...measured }, null, 2)}\n`,
  )
}
