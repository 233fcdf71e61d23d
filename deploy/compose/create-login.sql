-- The user of the instances that serve. The migration grants it the roles of the service.
\getenv password POSTGRES_LOGIN_PASSWORD
CREATE ROLE keyfront_login LOGIN NOINHERIT PASSWORD :'password';
