import { expect, test } from 'vitest'
import { runCli } from './run-cli.ts'

/** How a command ends that finds an installation in its environment, and what it writes. */
async function run(args: readonly string[]) {
  const written = { result: '', words: '' }
  const code = await runCli(args, {
    // Nobody listens there: what is wrong is said before the database is asked.
    environment: { DATABASE_URL: 'postgres://someone:hidden@127.0.0.1:1/none' },
    folder: '/nonexistent',
    repository: '/nonexistent',
    print(text) {
      written.result += text
    },
    say(text) {
      written.words += text
    },
  })
  return { code, ...written }
}

test.each([
  [[]],
  [['enclave']],
  [['nothing']],
  [['enclave', 'nothing']],
  [['enclave', 'status', '--nothing']],
  [['enclave', 'status', 'more']],
  [['org', 'quota']],
])('wrong usage ends with 2 and no result: %j', async (args) => {
  const { code, result, words } = await run(args)
  expect([code, result]).toEqual([2, ''])
  expect(words).not.toBe('')
  expect(words).not.toMatch(/\n {4}at /)
})

const organization = '00000000-0000-4000-8000-000000000000'
const signs = '--user-signs-per-minute'
const gas = '--sponsored-gas-eur-per-month'
const signsReason = 'It must be a whole number from 12 to 6000.'
const gasReason = 'It must be a whole number of EUR from 0 to 10000000.'
const oneOfThem = 'pass either an organization id or --installation'

test.each([
  [[], oneOfThem],
  [[organization, '--installation'], oneOfThem],
  [['--installation', signs, '60'], '--user-signs-per-minute is for one organization'],
  [['--installation', gas, '10000001'], gasReason],
  ...['11', '6001', '12.5', 'many'].map((figure) => [[organization, signs, figure], signsReason] as const),
  ...['-1', '10000001', '1.5', '', 'all'].map(
    (figure) => [[organization, `${gas}=${figure}`], gasReason] as const,
  ),
] as const)('org quota %j is wrong usage', async (args, reason) => {
  const { code, result, words } = await run(['org', 'quota', ...args, '--json'])
  expect([code, result]).toEqual([2, ''])
  expect(words).toContain(reason)
})
