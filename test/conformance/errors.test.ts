import { declares, type ErrorCode, errors, errorsOf, type Route, routes } from '@symbolon/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { laneErrorCases } from './agent-shared-error-cases.ts'
import { own } from './error-cases.ts'
import { type Fixture, internals, makeFixture } from './fixture.ts'
import { unmarkedWrites } from './keyed-marks.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await makeFixture()
})
afterAll(() => fixture.stop())

const all: Route[] = Object.values(routes)
const errorCaseOf = (route: Route, code: ErrorCode) => own[route.id]?.[code] ?? laneErrorCases(route)[code]

describe.each(all.map((route) => [route.id, route] as const))('%s', (_, route) => {
  test.each(errorsOf(route))('answers %s when provoked', async (code) => {
    const provoke = errorCaseOf(route, code)
    if (provoke === undefined) throw new Error(`Nothing provokes ${code} of ${route.id}.`)
    const { status, headers, text } = await provoke(fixture, route)
    const body = JSON.parse(text)

    expect({ status, code: body.error?.code }).toEqual({ status: errors[code].status, code })
    expect(Object.keys(body)).toEqual(['data', 'error'])
    expect(body.data !== null).toBe(code === 'wallet_exists')
    expect(body.error.message).not.toMatch(internals)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    if (status === 429 || status === 503) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  })
})

test('nothing is provoked that a route does not declare', () => {
  const undeclared = Object.entries(own).flatMap(([id, cases]) => {
    const route = all.find((candidate) => candidate.id === id)
    return Object.keys(cases).filter((code) => route === undefined || !declares(route, code as ErrorCode))
  })
  expect(undeclared).toEqual([])
})

test('what a request under an idempotency key commits marks the key, whatever the route: a repeat never does it again', async () => {
  const found = await unmarkedWrites(fixture)
  expect(found.filter(({ unmarked }) => unmarked.length > 0)).toEqual([])
  expect(found.filter(({ status }) => status < 300).length).toBeGreaterThan(24)
}, 60_000)
