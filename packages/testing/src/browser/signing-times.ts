import type { Frame, Page } from 'playwright-core'

/** Milliseconds: from the arrival of the second share to the verified signature, and of the whole request of the page. */
export type SigningTimes = { shareToSignatureMs: number[]; requestMs: number[] }

/**
 * Signs a request again and again in a page with `talk`, and says how long each took. The service is asked for its share
 * once: the same answer then comes every time, so that no rate is in the way and no network in the figures.
 */
export async function signingTimes(
  page: Page,
  frame: Frame,
  request: object,
  count: number,
): Promise<SigningTimes> {
  const pattern = '**/shares/provider*'
  let answer: { status: number; contentType: string; body: Buffer } | undefined
  await page.route(pattern, async (route) => {
    if (answer === undefined) {
      const response = await route.fetch()
      // Too soon after the last one: the vault waits and asks again.
      if (!response.ok()) return route.fulfill({ response })
      answer = { status: response.status(), contentType: 'application/json', body: await response.body() }
    }
    await route.fulfill(answer)
  })
  const name = 'symbolon:share-to-signature'
  await frame.evaluate((measure) => performance.clearMeasures(measure), name)
  const requestMs = await page.evaluate(
    async ([wanted, times]) => {
      const took: number[] = []
      for (let i = 0; i < times; i++) {
        const startedAt = performance.now()
        const signed = await talk.request('sign', { request: wanted })
        if (signed?.type !== 'answer' || !('result' in signed)) throw new Error(JSON.stringify(signed))
        took.push(performance.now() - startedAt)
      }
      return took
    },
    [request, count] as const,
  )
  await page.unroute(pattern)
  const shareToSignatureMs = await frame.evaluate(
    (measure) => performance.getEntriesByName(measure).map(({ duration }) => duration),
    name,
  )
  return { shareToSignatureMs, requestMs }
}
