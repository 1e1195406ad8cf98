import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ArrowRight, Rocket } from 'lucide-react'
import { nowMs } from '../../adapters/browser.ts'
import { useOrganization } from '../../data/organization.tsx'
import { apiKeysQuery, usageQuery } from '../../data/queries.ts'
import { CompanyLink } from '../../ui/links.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { ChartCard } from './chart-card.tsx'
import { useCharts } from './use-charts.ts'

const route = getRouteApi('/inside/o/$slug/')
const spans = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
] as const

/** The company's usage per day. */
export function OverviewPage() {
  const { days = '30' } = route.useSearch()
  const navigate = route.useNavigate()
  const span = spans.find(([value]) => value === days)?.[0] ?? '30'
  const query = useQuery(usageQuery(useOrganization().id, rangeOf(Number(span))))
  const { charts, isEmpty } = useCharts(query.data)
  return (
    <Page
      title="Overview"
      lead="Your wallets’ activity, day by day (UTC)."
      actions={
        <Segmented
          label="Period"
          options={spans}
          value={span}
          onChange={(value) => void navigate({ search: value === '30' ? {} : { days: value } })}
        />
      }
    >
      <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      {isEmpty && <QuickStartLink />}
      {charts === undefined && query.error === null && <LoadingCharts />}
      {charts !== undefined && (
        <div className="grid gap-4 md:grid-cols-2">
          {charts.map((chart) => (
            <ChartCard key={chart.title} {...chart} />
          ))}
        </div>
      )}
    </Page>
  )
}

function QuickStartLink() {
  const { data: keys } = useQuery(apiKeysQuery(useOrganization().id))
  return (
    <CompanyLink
      to="/o/$slug/quick-start"
      className="flex items-center gap-4 rounded-xl border border-accent/40 bg-tint p-4 transition hover:border-accent sm:p-5"
    >
      <Rocket className="size-5 shrink-0 text-accent" aria-hidden="true" />
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="text-sm font-semibold">
          {keys?.length === 0 ? 'Create your first API key and make a call' : 'Make your first call'}
        </span>
        <span className="text-sm text-pretty text-muted">
          The quick start takes five minutes. Your activity then shows up in these charts.
        </span>
      </span>
      <ArrowRight className="size-4 shrink-0 text-accent" aria-hidden="true" />
    </CompanyLink>
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

/** The last `days` days including today, as UTC calendar days. */
function rangeOf(days: number): { from: string; to: string } {
  const day = (back: number) => new Date(nowMs() - back * 86_400_000).toISOString().slice(0, 10)
  return { from: day(days - 1), to: day(0) }
}
