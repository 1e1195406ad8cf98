import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { settleLanguage } from './adapters/browser.ts'
import { queryClient } from './data/query-client.ts'
import { router } from './router.tsx'
import { applyTheme } from './shell/theme.ts'
import { Toasts } from './ui/toasts.tsx'

settleLanguage()
applyTheme()
const root = document.getElementById('app')
if (root === null) throw new Error('The page has no #app.')
createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
    <Toasts />
  </QueryClientProvider>,
)
