/** Runs in the browser: a shop that lays the frame over itself, with the SDK's own element. */
import { frameElement } from '@symbolon/sdk/testing'

const url = new URL('/frame', location.href)
url.hostname = 'vault.localhost'
url.search = location.search
const element = frameElement(document, url.href)
element.show(true)

/** What a test disturbs, as a page could: the frame's element, and whether it is shown. */
Object.assign(window, { frame: element.iframe, show: element.show })
