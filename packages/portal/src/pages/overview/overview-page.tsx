import { networkNames } from '@symbolon/networks/names'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowRight, Rocket } from 'lucide-react'
import { useMemo } from 'react'
import { nowMs } from '../../adapters/browser.ts'
import { useOrganization } from '../../data/organization.tsx'
import type { Answer } from '../../data/portal-client.ts'
import { apiKeysQuery, usageQuery } from '../../data/queries.ts'
import { count, eur } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import type { Series } from './bar-chart.tsx'
import { ChartCard } from './chart-card.tsx'

type Usage = Answer<'GET /v1/orgs/{orgID}/usage'>

const route = getRouteApi('/inside/o/$slug/')
const spans = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
] as const

/** What the company's wallets did, per day. */
export function OverviewPage() {
  const { id: orgID, signing_mode } = useOrganization()
  const { days = '30' } = route.useSearch()
  const navigate = route.useNavigate()
  const span = spans.find(([value]) => value === days)?.[0] ?? '30'
  const range = rangeOf(Number(span))
  const { data, error, refetch } = useQuery(usageQuery(orgID, range))
  const isQuiet = data?.items.every((item) => item.wallets_created === 0 && !hasEvents(item))
  return (
    <Page
      title="Overview"
      lead="What your wallets did, day by day (UTC)."
      actions={
        <Segmented
          label="Days shown"
          options={spans}
          value={span}
          onChange={(value) => void navigate({ search: value === '30' ? {} : { days: value } })}
        />
      }
    >
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {isQuiet && <Begin />}
      {data === undefined && error === null && <LoadingCharts />}
      {data !== undefined && <Charts usage={data} mode={signing_mode} />}
    </Page>
  )
}

function Charts({ usage, mode }: { usage: Usage; mode: 'client' | 'tee' }) {
  const { items, totals } = usage
  const shown = useMemo(() => {
    const of = (label: string, colour: string, value: (item: Usage['items'][number]) => number): Series => ({
      label,
      colour,
      values: items.map(value),
    })
    return {
      days: items.map(({ day }) => day),
      wallets: [of('Wallets', 'net1', (item) => item.wallets_created)],
      signatures:
        mode === 'tee'
          ? Object.entries(networkNames).map(([network, name], index) =>
              of(name, `net${index + 1}`, ({ signatures }) => countOf(signatures, network)),
            )
          : [of('Signatures', 'net2', (item) => item.share_releases)],
      sponsored: [of('Sponsored gas', 'net3', (item) => Number(item.sponsored_eur))],
      failures: [
        of('Refused signatures', 'net5', (item) => item.refusals),
        of('Other failures', 'net7', (item) => item.errors),
      ],
    }
  }, [items, mode])
  const signed =
    mode === 'tee'
      ? Object.values(totals.signatures).reduce<number>((sum, value) => sum + (value ?? 0), 0)
      : totals.share_releases
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <ChartCard
        title="New wallets"
        text="Made by users or by your backend."
        total={count(totals.wallets_created)}
        days={shown.days}
        series={shown.wallets}
        format={count}
      />
      <ChartCard
        title="Signatures"
        text={mode === 'tee' ? 'In the enclave, by network.' : 'In browsers: each takes one provider share.'}
        total={count(signed)}
        days={shown.days}
        series={shown.signatures}
        format={count}
      />
      <ChartCard
        title="Sponsored gas"
        text="Paid for operations of smart accounts."
        total={eur(totals.sponsored_eur)}
        days={shown.days}
        series={shown.sponsored}
        format={euros}
        isWhole={false}
      />
      <ChartCard
        title="Refusals and failures"
        text="Refused signatures, wrong codes, failed calls."
        total={count(totals.refusals + totals.errors)}
        days={shown.days}
        series={shown.failures}
        format={count}
      />
    </div>
  )
}

function Begin() {
  const { id: orgID, slug } = useOrganization()
  const { data: keys } = useQuery(apiKeysQuery(orgID))
  return (
    <Link
      to="/o/$slug/quick-start"
      params={{ slug }}
      className="flex items-center gap-4 rounded-xl border border-accent/40 bg-tint p-4 transition hover:border-accent sm:p-5"
    >
      <Rocket className="size-5 shrink-0 text-accent" aria-hidden="true" />
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="text-sm font-semibold">
          {keys?.length === 0 ? 'Mint your first key and make a call' : 'Make your first call'}
        </span>
        <span className="text-sm text-pretty text-muted">
          The quick start takes five minutes. These charts fill by themselves.
        </span>
      </span>
      <ArrowRight className="size-4 shrink-0 text-accent" aria-hidden="true" />
    </Link>
  )
}

function LoadingCharts() {
  return (
    <div aria-busy="true" className="grid gap-4 md:grid-cols-2">
      {['wallets', 'signatures', 'gas', 'failures'].map((name) => (
        <div key={name} className="pulse h-[19.5rem] rounded-xl border border-line bg-sunken" />
      ))}
    </div>
  )
}

function hasEvents({ signatures, share_releases, refusals, errors }: Usage['items'][number]): boolean {
  return share_releases + refusals + errors > 0 || Object.values(signatures).some((value) => (value ?? 0) > 0)
}

function countOf(signatures: Readonly<Record<string, number | undefined>>, network: string): number {
  return signatures[network] ?? 0
}

const euros = (value: number) => eur(String(value))

/** The last so many days, today included, as UTC calendar days. */
function rangeOf(days: number): { from: string; to: string } {
  const day = (back: number) => new Date(nowMs() - back * 86_400_000).toISOString().slice(0, 10)
  return { from: day(days - 1), to: day(0) }
}
