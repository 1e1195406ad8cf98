import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { settleLanguage } from './adapters/browser.ts'
import { createQueryClient } from './data/query-client.ts'
import { router } from './router.tsx'
import { applyTheme, keptTheme, ThemeProvider } from './shell/theme.tsx'
import { ToastProvider } from './ui/toasts.tsx'

settleLanguage()
const theme = keptTheme()
applyTheme(theme)
const root = document.getElementById('app')
if (root === null) throw new Error('The page has no #app.')
createRoot(root).render(
  <QueryClientProvider client={createQueryClient()}>
    <ThemeProvider initial={theme}>
      <ToastProvider>
        <RouterProvider router={router} />
      </ToastProvider>
    </ThemeProvider>
  </QueryClientProvider>,
)
