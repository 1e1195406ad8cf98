/**
 * The worst input that each route accepts, and what it costs a thread: for all routes until the handler has it; for what is signed, per
 * network, to the end of decoding, on a thread of the API and on one of the enclave. Then the figure of fairness: one tenant at all its
 * limits with the worst of these bodies, and what another one notices. `--no-load` leaves that out.
 */

import { printTable, writeResults } from './support/results.ts'
import { agentCosts } from './worst/agent-costs.ts'
import { coldPolicyCosts } from './worst/cold-policies.ts'
import { decodingCosts } from './worst/decoding-costs.ts'
import { fairness } from './worst/fairness.ts'
import { routeCosts } from './worst/route-costs.ts'

const costs = [...decodingCosts(), ...agentCosts()]
const policies = coldPolicyCosts()
printTable(
  'The first evaluation under a policy with one list at its largest in all layers, CPU ms of the enclave, wanted <= 20',
  ['', 'bytes', 'ms'],
  [...policies]
    .sort((a, b) => b.enclave_ms - a.enclave_ms)
    .map(({ name, bytes, enclave_ms }) => [name, bytes, enclave_ms]),
)
const byNetwork = Map.groupBy(costs, ({ network }) => network)
const worst = [...byNetwork].map(([network, all]) => {
  const accepted = all.filter(({ refused }) => refused === undefined)
  const most = (key: 'api_ms' | 'enclave_ms') =>
    accepted.reduce((a, b) => (b[key] > a[key] ? b : a), accepted[0] as (typeof all)[0])
  const [api, enclave] = [most('api_ms'), most('enclave_ms')]
  return { network, api_ms: api.api_ms, api: api.name, enclave_ms: enclave.enclave_ms, enclave: enclave.name }
})
printTable(
  'The worst accepted body of each network, CPU ms of one thread, wanted <= 20',
  ['', 'API', 'body', 'enclave', 'body'],
  worst.map(({ network, api_ms, api, enclave_ms, enclave }) => [network, api_ms, api, enclave_ms, enclave]),
)
const parsing = routeCosts()
printTable(
  'The worst accepted input of each route until its handler has it, CPU ms of one thread, wanted <= 20',
  ['', 'input', 'bytes', 'ms'],
  [...parsing]
    .sort((a, b) => b.parse_ms - a.parse_ms)
    .map(({ route, name, bytes, parse_ms }) => [route, name, bytes, parse_ms]),
)
const load = process.argv.includes('--no-load') ? null : await fairness(costs)
if (load !== null)
  printTable(
    'Signatures of one tenant, ms, while another sends the worst bodies at all its limits',
    ['', 'alone', 'beside it', 'wanted'],
    [
      ...load.rounds.map(({ aloneP50Ms, besideP50Ms }, i) => [
        `p50 of round ${i + 1}`,
        aloneP50Ms,
        besideP50Ms,
        '',
      ]),
      ['p50', load.alone.p50Ms, load.beside.p50Ms, `<= ${Math.round(2 * load.alone.p50Ms + 20)}`],
      ['failed', load.alone.failed, load.beside.failed, '0'],
      ['answered', load.alone.answered, load.beside.answered, ''],
    ],
  )
writeResults('worst', { networks: worst, bodies: costs, policies, routes: parsing, fairness: load })
