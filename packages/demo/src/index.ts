export { type DemoCredentials, makeDemoCredentials, readPublicKey } from './credentials.ts';
export { type DemoData, generateDemo } from './generate/generate-demo.ts';
export { findDemoDrawing } from './images/demo-drawings.ts';
export { type DemoChoice, type DemoPage, renderDemoPage } from './pages/demo-page.ts';
export { demoStyle } from './pages/demo-style.ts';
export {
  type DemoCheck,
  type DemoPayment,
  describeCheck,
  describePayment,
  kycChoices,
  paymentChoices,
} from './pages/describe-demo-pages.ts';
