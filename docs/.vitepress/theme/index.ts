import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import './style.css'

/** Pages of error codes are plain pages of their own: the router hands them over to the browser. */
const errorPage = /\/docs\/errors\/\w+$/

export default {
  extends: DefaultTheme,
  enhanceApp({ router }) {
    if (typeof location === 'undefined') return
    router.onBeforeRouteChange = (to) => {
      const { pathname } = new URL(to, location.href)
      // A code without a page ends here once more: the page that says so would load itself again and again.
      if (!errorPage.test(pathname) || pathname === location.pathname) return true
      location.assign(to)
      return false
    }
  },
} satisfies Theme
