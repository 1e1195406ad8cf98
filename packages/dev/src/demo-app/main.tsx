import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { CallLogContext, callLog } from './call-log.ts'

const root = document.getElementById('app')
if (root === null) throw new Error('The page has no #app.')
createRoot(root).render(
  <CallLogContext value={callLog()}>
    <App />
  </CallLogContext>,
)
