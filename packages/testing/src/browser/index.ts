/** Headless Chromium, pages it can visit, and everything that crossed its wire, searched for keys. */
export { bundled } from './bundle.ts'
export { launchChromium } from './chromium.ts'
export { type Pages, pageWith, servePretended, startPages } from './pages.ts'
export { installTalk } from './raw-talk.ts'
export { signingTimes } from './signing-times.ts'
export { frameAt, type Traffic, watchTraffic } from './traffic.ts'
