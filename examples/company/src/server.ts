/** Starts the application on a server: `npm run serve`. */
import { createApp } from './app.js'

const { PORT = '3000' } = process.env
createApp().listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error
  console.log(`http://localhost:${PORT}`)
})
