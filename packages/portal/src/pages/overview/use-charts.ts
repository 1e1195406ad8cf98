import { networkNames } from '@symbolon/networks/names'
import { useMemo } from 'react'
import { useOrganization } from '../../data/organization.tsx'
import type { Answer } from '../../data/portal-client.ts'
import { count, eur } from '../../ui/format.ts'

import type { Series } from './bar-chart.tsx'
import type { Chart } from './chart-card.tsx'

type Usage = Answer<'GET /v1/orgs/{orgID}/usage'>
type Day = Usage['items'][number]

/** The charts of the usage, stable while it does not change, and whether it is empty. */
export function useCharts(usage: Usage | undefined): { charts: Chart[] | undefined; isEmpty: boolean } {
  const { signing_mode } = useOrganization()
  return useMemo(
    () => ({
      charts: usage && chartsOf(usage, signing_mode === 'tee'),
      isEmpty: usage?.items.every(isQuiet) === true,
    }),
    [usage, signing_mode],
  )
}

function chartsOf({ items, totals }: Usage, isTee: boolean): Chart[] {
  const of = (label: string, colour: string, value: (item: Day) => number): Series => ({
    label,
    colour,
    values: items.map(value),
  })
  const shared = { days: items.map(({ day }) => day), format: count, isWhole: true }
  return [
    {
      ...shared,
      title: 'New wallets',
      text: 'Created by users or by your backend.',
      total: count(totals.wallets_created),
      series: [of('Wallets', 'net1', (item) => item.wallets_created)],
    },
    {
      ...shared,
      title: 'Signatures',
      text: isTee ? 'In the enclave, by network.' : 'In browsers; each one takes a provider share.',
      total: count(isTee ? signatureCount(totals) : totals.share_releases),
      series: isTee
        ? Object.entries(networkNames).map(([network, name], index) =>
            of(
              name,
              `net${index + 1}`,
              ({ signatures }) => signatures[network as keyof typeof signatures] ?? 0,
            ),
          )
        : [of('Signatures', 'net2', (item) => item.share_releases)],
    },
    {
      ...shared,
      title: 'Sponsored gas',
      text: 'Paid for user operations of smart accounts.',
      total: eur(totals.sponsored_eur),
      series: [of('Sponsored gas', 'net3', (item) => Number(item.sponsored_eur))],
      format: (value) => eur(String(value)),
      isWhole: false,
    },
    {
      ...shared,
      title: 'Refusals and failures',
      text: 'Refused signatures, wrong codes, failed calls.',
      total: count(totals.refusals + totals.errors),
      series: [
        of('Refused signatures', 'net5', (item) => item.refusals),
        of('Other failures', 'net7', (item) => item.errors),
      ],
    },
  ]
}

const isQuiet = (day: Day) =>
  day.wallets_created + day.share_releases + day.refusals + day.errors + signatureCount(day) === 0

const signatureCount = ({ signatures }: Pick<Day, 'signatures'>) =>
  Object.values(signatures).reduce<number>((sum, value) => sum + (value ?? 0), 0)
