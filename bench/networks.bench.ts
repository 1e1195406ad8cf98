/**
 * Decode and digest of generated transactions, per network, beside the network's own library, in CPU time. Ours gives the
 * effects as well: amounts, recipients, fee, warnings; theirs the fields, on EVM, Tron and Near with addresses or keys in the text that
 * ours shows. Ours keeps what it read last, so that the digest does not read again. Argument: rounds.
 */
import { ed25519Contests } from './networks/ed25519-contests.ts'
import { secp256k1Contests } from './networks/secp256k1-contests.ts'
import type { Turn } from './networks/turns.ts'
import { median } from './support/load.ts'
import { printTable, writeResults } from './support/results.ts'

const rounds = Number(process.argv[2] ?? 15)
const turnMs = 100

const contests = [...secp256k1Contests(), ...ed25519Contests()]
const results = contests.map(({ network, library, turns }) => {
  if (turns.length === 0) throw new Error(`${network} has no transactions`)
  const samples: { ours: number; theirs: number }[] = []
  for (const who of ['ours', 'theirs'] as const) measure(turns, who)
  for (let round = 0; round < rounds; round++) {
    // Who is first alternates, so that neither always runs on the other's garbage.
    const order = round % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const)
    const sample = { ours: 0, theirs: 0 }
    for (const who of order) sample[who] = measure(turns, who)
    samples.push(sample)
  }
  process.stderr.write('.')
  return {
    network,
    library,
    transactions: turns.length,
    ours_us: median(samples.map(({ ours }) => ours)),
    theirs_us: median(samples.map(({ theirs }) => theirs)),
    ratio: median(samples.map(({ ours, theirs }) => theirs / ours)),
  }
})
process.stderr.write('\n')

/** CPU time per transaction in µs, all threads. */
function measure(turns: readonly Turn[], who: keyof Turn): number {
  const endsAt = performance.now() + turnMs
  const before = process.cpuUsage()
  let count = 0
  while (performance.now() < endsAt) {
    for (const turn of turns) turn[who]()
    count += turns.length
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}

printTable(
  `Decode and digest, CPU µs per transaction, medians of ${rounds} rounds`,
  ['', 'library', 'ours', 'theirs', 'theirs / ours', 'wanted'],
  results.map(({ network, library, ours_us, theirs_us, ratio }) => [
    network,
    library,
    ours_us,
    theirs_us,
    ratio,
    '>= 3',
  ]),
)
writeResults('networks', { rounds, results })
