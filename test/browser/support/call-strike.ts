import type { Route } from 'playwright-core'
import type { Holder } from './holder.ts'
import type { Shop } from './shop.ts'

/**
 * What happens at a call: the page is closed before it is sent, or when the service has answered and the page has not
 * got it; or only the answer is lost.
 */
export type Moment = 'closed-before' | 'closed-after' | 'answer-lost'

/** Runs something and strikes at the `call`-th call that the frame makes to the API meanwhile. Says whether it came to that. */
export async function strikeAt(
  { shop, holder, call, moment }: { shop: Shop; holder: Holder; call: number; moment: Moment },
  work: () => Promise<unknown>,
): Promise<boolean> {
  let calls = 0
  let wasStruck = false
  let struck: () => void = () => {}
  const striking = new Promise<void>((resolve) => {
    struck = resolve
  })
  const { page } = holder
  const pattern = `${shop.app.url}/v1/**`

  async function onCall(route: Route): Promise<void> {
    if (++calls !== call) return route.continue()
    wasStruck = true
    if (moment !== 'closed-before') await route.fetch()
    if (moment === 'answer-lost') await route.abort('connectionreset')
    else await page.close()
    struck()
  }
  await page.route(pattern, onCall)
  const outcome = work().catch(() => {})
  await (moment === 'answer-lost' ? outcome : Promise.race([outcome, striking]))
  if (wasStruck) await striking
  if (!page.isClosed()) await page.unroute(pattern)
  return wasStruck
}
