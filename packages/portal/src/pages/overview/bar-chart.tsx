import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { useIsDark } from '../../shell/theme.tsx'

/** One colour of the bars: its values per day, and the name of its colour in the theme. */
export type Series = { label: string; colour: string; values: readonly number[] }

const height = 168
/** The steps 1, 2, 5, 10, … of an axis of whole numbers. */
const wholeSteps = Array.from({ length: 12 }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
).flat()

/**
 * Bars per day, with the series stacked in their order. `onDay` receives the index of the day under the pointer. Screen readers
 * skip the canvas: the numbers are in a table beside it.
 */
export function BarChart({
  days,
  series,
  format,
  isWhole,
  onDay,
}: Omit<Drawing, 'element'> & { days: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null)
  const isDark = useIsDark()
  const latestOnDay = useRef(onDay)
  latestOnDay.current = onDay

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours of the theme are read when it changes.
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const plot = new uPlot(
      optionsOf({ element, series, format, isWhole, onDay: (index) => latestOnDay.current(index) }),
      dataOf(days, series),
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [days, series, format, isWhole, isDark])

  return <div ref={box} aria-hidden="true" style={{ height }} className="w-full overflow-hidden" />
}

/** Later series are drawn first and reach up to the sum of those before them, so each shows its own part. */
function dataOf(days: readonly string[], series: readonly Series[]): uPlot.AlignedData {
  const sums: number[] = days.map(() => 0)
  const stacked = series.map(({ values }) =>
    values.map((value, index) => {
      const sum = (sums[index] ?? 0) + value
      sums[index] = sum
      return sum
    }),
  )
  return [days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1_000), ...stacked.reverse()]
}

type Drawing = {
  element: HTMLElement
  series: readonly Series[]
  format: (value: number) => string
  isWhole: boolean
  onDay: (index: number | undefined) => void
}

function optionsOf(drawing: Drawing): uPlot.Options {
  return {
    width: drawing.element.clientWidth,
    height,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      // Half a day more at both ends shows the first and the last bar in full.
      x: { time: true, range: (_, min, max) => [min - 43_200, max + 43_200] },
      y: { range: (_, __, max) => [0, max === 0 ? 1 : max * 1.1] },
    },
    axes: axesOf(drawing),
    series: [{}, ...barsOf(drawing).reverse()],
    hooks: { setCursor: [({ cursor: { idx } }) => drawing.onDay(idx ?? undefined)] },
  }
}

function axesOf({ element, format, isWhole }: Drawing): uPlot.Axis[] {
  const axis = {
    stroke: colourOf(element, 'muted'),
    font: '11px system-ui, sans-serif',
    ticks: { show: false },
  }
  return [
    {
      ...axis,
      grid: { show: false },
      values: (_, ticks) => ticks.map(dayText),
      space: 64,
      size: 26,
      gap: 8,
    },
    {
      ...axis,
      grid: { stroke: colourOf(element, 'line'), width: 1 },
      values: (_, ticks) => ticks.map(format),
      size: 52,
      ...(isWhole && { incrs: wholeSteps }),
      space: 36,
    },
  ]
}

function barsOf({ element, series }: Drawing): uPlot.Series[] {
  const bars = uPlot.paths.bars?.({ size: [0.72, 36], radius: 0.12 })
  return series.map(({ label, colour }) => {
    const ink = colourOf(element, colour)
    return {
      label,
      fill: ink,
      stroke: ink,
      width: 0,
      points: { show: false },
      ...(bars && { paths: bars }),
    }
  })
}

const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

function dayText(seconds: number): string {
  return short.format(new Date(seconds * 1_000))
}

/** A colour of the theme in a form that a canvas accepts. */
function colourOf(element: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(--color-${name})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
